/** Delivers updates to a webhook: one after another, each repeated until it is answered with 2xx. */
import type { Update } from 'grammy/types';
import { SECOND } from '../../../src/base/clock.js';
import type { ServerContext, Recorded } from './http.js';
import { seconds } from './world.js';

/** The platform waits longer from failure to failure. */
const REPEATED_AFTER = SECOND;

/** Ends when the stand-in closes. */
export async function deliverToWebhook(context: ServerContext): Promise<void> {
  const { world, closing } = context;
  while (!closing.aborted) {
    await world.updates.forWebhook(closing);
    const { webhook } = world;
    const [update] = world.updates.pending;
    if (closing.aborted || webhook === undefined || update === undefined) continue;
    const failure = await post(context, update);
    if (failure === undefined) {
      world.updates.confirm(update.update_id);
      continue;
    }
    webhook.error = { date: seconds(world), message: failure };
    world.changed();
    await world.clock.sleep(REPEATED_AFTER, closing).catch(() => undefined);
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
