/** Takes updates from a poll, from the webhook, and from other processes that share the store. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Api } from 'grammy/web';
import type { WebhookInfo } from 'grammy/types';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { MINUTE, SECOND, type Clock, type Instant } from '../../base/clock.js';
import type { Routes } from '../../base/http.js';
import type { Log } from '../../base/log.js';
import type { ForwardedUpdate, Forwarding } from '../../chat/forwarding.js';
import type { Diagnosis } from '../../chat/notifier.js';
import { truncateLine } from '../truncate.js';
import { POLL_SECONDS } from './api.js';
import { ALLOWED_UPDATES, readUpdate, updateSchema, type BotIdentity, type InlineQuery, type Update } from './incoming-update.js';
import { webhookSecret } from './settings.js';
import type { Received, UpdateQueue } from './update-queue.js';

/** Resolves when every update is durable. Rejects with the store's error. */
export type ReceiveUpdates = (updates: readonly unknown[]) => Promise<void>;

export interface ReceivingDeps {
  readonly bot: BotIdentity;
  readonly queue: Pick<UpdateQueue, 'take'>;
  readonly inline: (query: InlineQuery) => void;
  readonly log: Log;
}

export function openReceiving({ bot, queue, inline, log }: ReceivingDeps): ReceiveUpdates {
  return async (updates) => {
    const read = updates.flatMap((update) => readOne(update, log));
    await queue.take(read.flatMap((update) => incomingIn(update, bot)));
    for (const { inline_query: query } of read) if (query !== undefined) inline(query);
  };
}

/** Returns nothing for an unreadable update and logs it, because a repeat would be unreadable too. */
export function readOne(update: unknown, log: Log): readonly Update[] {
  const read = updateSchema.safeParse(update);
  if (read.success) return [read.data];
  log.warn('telegram.update-unreadable', { update: idOf(update), path: read.error.issues[0]?.path.join('.') });
  return [];
}

const idOf = (update: unknown): unknown =>
  typeof update === 'object' && update !== null && 'update_id' in update ? update.update_id : undefined;

function incomingIn(update: Update, bot: BotIdentity): readonly Received[] {
  const incoming = readUpdate(update, bot);
  return incoming === undefined ? [] : [{ update: update.update_id, incoming }];
}

export interface ArrivalDeps {
  readonly api: Api;
  readonly bot: BotIdentity;
  readonly receive: ReceiveUpdates;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onGood: (diagnosis: Diagnosis) => void;
  /** Resolves when the next try is due. */
  readonly afterTrouble: (cause: unknown) => Promise<void>;
}

/** https://core.telegram.org/bots/api#getupdates */
const BATCH = 100;
const CHECKED_EVERY = MINUTE;
const MAX_REASON = 200;

export async function poll({ api, bot, receive, signal, onGood, afterTrouble }: ArrivalDeps): Promise<void> {
  let offset = 0;
  while (!signal.aborted) {
    try {
      const updates = await api.getUpdates({ offset, limit: BATCH, timeout: POLL_SECONDS, allowed_updates: ALLOWED_UPDATES });
      if (signal.aborted) return;
      await receive(updates);
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
      onGood(polled(bot));
    } catch (error) {
      await afterTrouble(error);
    }
  }
}

/** Sets the webhook, and sets it again if it was removed. A stop leaves it set. */
export async function awaitWebhook(
  webhook: Webhook,
  { api, bot, receive, clock, signal, onGood, afterTrouble }: ArrivalDeps,
): Promise<void> {
  webhook.open(receive);
  let info: WebhookInfo | undefined;
  while (!signal.aborted) {
    try {
      // Telegram does not return the secret of a webhook, so the first round always sets it.
      if (info?.url !== webhook.url)
        await api.setWebhook(webhook.url, { secret_token: webhook.secret, allowed_updates: ALLOWED_UPDATES, drop_pending_updates: false });
      onGood(awaited(bot, info?.url === webhook.url ? info : undefined, clock.now()));
      await clock.sleep(CHECKED_EVERY, signal).catch(() => undefined);
      if (!signal.aborted) info = await api.getWebhookInfo();
    } catch (error) {
      await afterTrouble(error);
    }
  }
  webhook.close();
}

export const polled = (bot: BotIdentity): Diagnosis => ({ ok: true, says: connectedAs(bot, '') });

const connectedAs = ({ username, readsGroups }: BotIdentity, how: string): string =>
  `connected as @${username}${how}${readsGroups ? '' : '; privacy mode is on, so mentions in groups do not reach it'}`;

/** Diagnoses the webhook. A recent delivery error counts as a problem. */
function awaited(bot: BotIdentity, info: WebhookInfo | undefined, now: Instant): Diagnosis {
  const failedAt = (info?.last_error_date ?? 0) * SECOND;
  if (info?.last_error_message === undefined || failedAt < now - 2 * CHECKED_EVERY)
    return { ok: true, says: connectedAs(bot, ', by webhook') };
  const reason = truncateLine(info.last_error_message, MAX_REASON).trim();
  return { ok: false, says: `Telegram cannot deliver updates to TELEGRAM_WEBHOOK_URL (${reason}); check the address and its certificate` };
}

/** The HTTP route to which Telegram posts updates. https://core.telegram.org/bots/api#setwebhook */
export interface Webhook {
  readonly url: string;
  readonly secret: string;
  readonly routes: Routes;
  /** Requests before this call are refused; Telegram repeats them. */
  open(receive: ReceiveUpdates): void;
  close(): void;
}

/** Bytes. An update is a few kilobytes. */
const MAX_BODY = 1024 * 1024;

export interface WebhookDeps {
  readonly token: string;
  readonly url: string;
  readonly log: Log;
}

export function openWebhook({ token, url, log }: WebhookDeps): Webhook {
  const secret = webhookSecret(token, url);
  const app = new Hono();
  let receive: ReceiveUpdates | undefined;

  app.post(
    new URL(url).pathname,
    async (c, next) => (isSame(c.req.header('x-telegram-bot-api-secret-token') ?? '', secret) ? next() : c.body(null, 401)),
    bodyLimit({ maxSize: MAX_BODY, onError: (c) => c.body(null, 413) }),
    async (c) => {
      if (receive === undefined) return c.body(null, 503);
      const update: unknown = await c.req.json().catch(() => undefined);
      if (update === undefined) return c.body(null, 400);
      try {
        // Telegram repeats an unanswered request, so a crash before the update is stored loses nothing.
        await receive([update]);
      } catch (error) {
        log.warn('telegram.update-not-kept', { error });
        return c.body(null, 503);
      }
      return c.body(null, 200);
    },
  );

  return {
    url,
    secret,
    routes: { path: '/', app },
    open: (to) => void (receive = to),
    close: () => void (receive = undefined),
  };
}

/** Compares in constant time. The digests give both texts the same length. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const chat = z.object({ id: z.int() });
const chatSchema = z.object({
  update_id: z.int(),
  message: z.object({ chat }).optional(),
  channel_post: z.object({ chat }).optional(),
  callback_query: z.object({ message: z.object({ chat }).optional() }).optional(),
  my_chat_member: z.object({ chat }).optional(),
});

/** Returns undefined for an update without a chat and for anything that is not an update. */
export function forwardedOf(raw: unknown): ForwardedUpdate | undefined {
  const { success, data: update } = chatSchema.safeParse(raw);
  if (!success) return undefined;
  const { message, channel_post: post, callback_query: press, my_chat_member: membership } = update;
  const where = message?.chat ?? post?.chat ?? press?.message?.chat ?? membership?.chat;
  return where && { platform: 'telegram', chat: String(where.id), id: String(update.update_id), raw };
}

/** Forwards an update if earlier updates of its chat still wait, so that their order stays. */
export const behindForwarded =
  (receive: ReceiveUpdates, forwarding: Pick<Forwarding, 'keep' | 'waits'>): ReceiveUpdates =>
  async (updates) => {
    for (const raw of updates) {
      const update = forwardedOf(raw);
      if (update !== undefined && (await forwarding.waits(update))) await forwarding.keep(update);
      else await receive([raw]);
    }
  };

/** Handles a forwarded update. Resolves when it is answered. */
export async function takeForwarded(
  raw: unknown,
  {
    receive,
    queue,
    endTurn,
  }: { readonly receive: ReceiveUpdates; readonly queue: UpdateQueue; readonly endTurn?: (() => void) | undefined },
): Promise<void> {
  await receive([raw]);
  const update = forwardedOf(raw);
  if (update !== undefined) await queue.handled(Number(update.id), endTurn);
}
