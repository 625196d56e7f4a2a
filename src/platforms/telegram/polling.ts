/** Both run until the signal aborts and never reject. */
import type { Api } from 'grammy';
import type { WebhookInfo } from 'grammy/types';
import { MINUTE, SECOND, type Clock, type Instant } from '../../base/clock.js';
import type { Diagnosis } from '../../chat/notifier.js';
import { truncateLine } from '../truncate.js';
import type { BotIdentity } from './command-line.js';
import { POLL_SECONDS } from './fetch.js';
import type { ReceiveUpdates } from './receiving.js';
import { ALLOWED_UPDATES } from './update.js';
import type { Webhook } from './webhook.js';

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

/** Again if removed. It stays at a stop. */
export async function awaitWebhook(
  webhook: Webhook,
  { api, bot, receive, clock, signal, onGood, afterTrouble }: ArrivalDeps,
): Promise<void> {
  webhook.open(receive);
  let info: WebhookInfo | undefined;
  while (!signal.aborted) {
    try {
      // The secret of a webhook that is set already cannot be read, so the first time it is set anyway.
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

export const polled = ({ username }: BotIdentity): Diagnosis => ({ ok: true, says: `connected as @${username}` });

/** A recent delivery error counts. */
function awaited({ username }: BotIdentity, info: WebhookInfo | undefined, now: Instant): Diagnosis {
  const failedAt = (info?.last_error_date ?? 0) * SECOND;
  if (info?.last_error_message === undefined || failedAt < now - 2 * CHECKED_EVERY)
    return { ok: true, says: `connected as @${username}, by webhook` };
  const reason = truncateLine(info.last_error_message, MAX_REASON).trim();
  return { ok: false, says: `Telegram cannot deliver updates to TELEGRAM_WEBHOOK_URL (${reason}); check the address and its certificate` };
}
