/** Answer in the best form that Telegram accepts. */
import { GrammyError, HttpError, type Api } from 'grammy';
import { omitUndefined } from '../../base/omit-undefined.js';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Reply } from '../../chat/reply.js';
import { textOnly, type Prepared } from '../attachments.js';
import { addressOf, sendTo, type ChatTopic } from './address.js';
import { inWords, outcomeOf } from './outcome.js';
import { bareText } from './send-and-edit.js';
import type { TelegramReplyLifecycle } from './reply-lifecycle.js';

const RETRY_AFTER = SECOND;

export interface FallbackDeps {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  readonly place: ChatTopic;
  readonly replyTo?: number | undefined;
  readonly signal: AbortSignal;
}

const bare = ({ chart: _chart, ...words }: Reply): Prepared => textOnly({ ...words, actions: [], fields: [], files: [] });

function afterError(error: unknown, place: ChatTopic): 'again' | 'simpler' | 'nothing' {
  // Our own error before anything was sent: a button that could not be stored.
  if (!(error instanceof GrammyError) && !(error instanceof HttpError)) return 'simpler';
  const outcome = outcomeOf(error, addressOf(place));
  if (outcome.kind === 'refused') return 'simpler';
  return outcome.kind === 'unclear' && outcome.because === 'server-error' ? 'again' : 'nothing';
}

/** False: none was accepted. Never rejects. */
export async function showWithFallback(
  lifecycle: Pick<TelegramReplyLifecycle, 'final'>,
  prepared: Prepared,
  deps: FallbackDeps,
): Promise<boolean> {
  const { api, clock, log, place, replyTo, signal } = deps;
  const { chat_id: chat, ...thread } = sendTo(place);
  const how = omitUndefined({ replyTo });
  const forms: readonly (() => Promise<unknown>)[] = [
    async () => lifecycle.final(prepared, how),
    async () => lifecycle.final(bare(prepared.reply), how),
    async () => api.sendMessage(chat, bareText(prepared.reply, clock.now()), thread),
  ];
  let isRepeated = false;
  for (let form = 0; form < forms.length;) {
    try {
      await forms[form]?.();
      return true;
    } catch (error) {
      log.warn('telegram.answer-not-sent', { chat, form, error: inWords(error) });
      const next = signal.aborted ? 'nothing' : afterError(error, place);
      if (next === 'nothing') return false;
      if (next === 'again' && !isRepeated) {
        isRepeated = true;
        await clock.sleep(RETRY_AFTER, signal).catch(() => undefined);
      } else form += 1;
    }
  }
  return false;
}
