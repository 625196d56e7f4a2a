/** Delivers updates to a webhook: those of a chat one after another, each repeated until it is answered with 2xx. */
import type { Update } from 'grammy/types';
import { SECOND } from '../../../src/base/clock.js';
import type { ServerContext, Recorded } from './http.js';
import { seconds } from './world.js';

/** The platform waits longer from failure to failure. */
const REPEATED_AFTER = SECOND;
/** https://core.telegram.org/bots/api#setwebhook, max_connections */
const CONNECTIONS = 40;

/** Messages of a chat, and presses of a person, wait for each other: `WebhookActor.cpp` of tdlib/telegram-bot-api. */
function queueOf({ message, channel_post: posted, callback_query: press, my_chat_member: member, update_id: id }: Update): string {
  if (press !== undefined) return `presses of ${press.from.id}`;
  return String((message ?? posted ?? member)?.chat.id ?? `update ${id}`);
}

/** Ends when the stand-in closes. */
export async function deliverToWebhook(context: ServerContext): Promise<void> {
  const { world, closing } = context;
  const busy = new Set<string>();
  const isReady = (update: Update): boolean => busy.size < CONNECTIONS && !busy.has(queueOf(update));
  const deliver = async (update: Update): Promise<void> => {
    const failure = await post(context, update);
    if (failure === undefined) return world.updates.confirm(update.update_id);
    if (world.webhook !== undefined) world.webhook.error = { date: seconds(world), message: failure };
    world.changed();
    await world.clock.sleep(REPEATED_AFTER, closing).catch(() => undefined);
  };
  while (!closing.aborted) {
    await world.updates.forWebhook(closing, isReady);
    const update = world.updates.pending.find(isReady);
    if (closing.aborted || world.webhook === undefined || update === undefined) continue;
    busy.add(queueOf(update));
    void deliver(update).finally(() => {
      busy.delete(queueOf(update));
      world.updates.wake();
    });
  }
}

/** What went wrong, in the platform's words. */
async function post({ world, faults, transcript, closing }: ServerContext, update: Update): Promise<string | undefined> {
  const { webhook } = world;
  if (webhook === undefined) return 'no webhook';
  const fault = faults.next({ method: 'webhook', chat: undefined });
  const call: Recorded = { method: 'webhook', params: { ...update }, at: world.clock.now(), answer: undefined, fault: fault?.kind };
  transcript.push(call);
  world.changed();
  if (fault?.kind === 'cut-before') return 'Connection reset by peer';
  try {
    const { status } = await fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(webhook.secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': webhook.secret }),
      },
      body: JSON.stringify(update),
      signal: closing,
    });
    if (fault?.kind === 'cut-after') return 'Connection reset by peer';
    if (status < 200 || status > 299) return `Wrong response from the webhook: ${status}`;
    call.answer = { ok: true, result: status };
    world.changed();
    return undefined;
  } catch {
    return 'Connection refused';
  }
}
