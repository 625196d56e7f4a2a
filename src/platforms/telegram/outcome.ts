/** Decides the next action after an error of Telegram, and retries calls. */
import { GrammyError, HttpError } from 'grammy/web';
import { SECOND, type Clock } from '../../base/clock.js';
import { never } from '../../base/never.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Address } from '../../chat/address.js';
import { outcomeOfEdit, type EditOutcome, type Outcome } from '../../chat/notifier.js';
import type { ChatEvent } from '../../chat/platform.js';
import { repeated } from '../conversation.js';
import { addressOf, movedTo, placeOf, type ChatTopic } from './address.js';
import { WireError, type WireTrouble } from './api.js';

/** Descriptions from https://github.com/tdlib/telegram-bot-api (`Client.cpp`) and Telegram's servers. */
const GONE: readonly (readonly [RegExp, string])[] = [
  [/bot was blocked by the user|USER_IS_BLOCKED/iu, 'this person blocked the bot'],
  [/user is deactivated|INPUT_USER_DEACTIVATED/iu, 'this account no longer exists'],
  [/bot was kicked from|bot is not a member of|CHANNEL_PRIVATE/iu, 'the bot was removed from the chat'],
  [/group chat was (deleted|deactivated)/iu, 'the group was deleted'],
  [/chat not found|PEER_ID_INVALID/iu, 'there is no such chat'],
  [/message thread not found|TOPIC_DELETED|TOPIC_ID_INVALID/iu, 'the topic was deleted'],
];
const NOT_PERMITTED: readonly (readonly [RegExp, string])[] = [
  [/TOPIC_CLOSED/iu, 'the topic is closed'],
  [/can't initiate conversation/iu, 'this person has not opened a private chat with the bot'],
  [/need administrator rights|CHAT_ADMIN_REQUIRED/iu, 'the bot is no administrator of the channel'],
  [
    /not enough rights|have no rights|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED|CHAT_SEND_\w+_FORBIDDEN|USER_BANNED_IN_CHANNEL/iu,
    'the bot lacks permission to send messages',
  ],
];

export function outcomeOf(error: unknown, to: Address): Outcome {
  if (error instanceof GrammyError) return refused(error, to);
  const trouble = wireError(error)?.trouble;
  // Errors thrown by grammY or by us do not tell whether the message was sent.
  return trouble === undefined ? { kind: 'unclear', because: 'line-cut' } : cut(trouble);
}

/** Telegram answers 401 for an unknown token, and 404 for a malformed one, even for methods that every server has. */
export const isTokenRefused = ({ error_code: code, method }: GrammyError): boolean =>
  code === 401 || (code === 404 && (method === 'getMe' || method === 'sendMessage'));

function refused(error: GrammyError, to: Address): Outcome {
  const { error_code: code, description, parameters } = error;
  if (parameters.migrate_to_chat_id !== undefined) return { kind: 'moved', to: movedTo(to, parameters.migrate_to_chat_id) };
  if (code === 429)
    return omitUndefined({
      kind: 'later',
      because: 'rate-limited',
      afterMs: parameters.retry_after === undefined ? undefined : parameters.retry_after * SECOND,
    });
  if (isTokenRefused(error)) return { kind: 'later', because: 'unreachable' };
  // With 502 and 503 nothing was executed; after other server errors the message may exist.
  if (code === 502 || code === 503) return { kind: 'later', because: 'server-error' };
  if (code >= 500) return { kind: 'unclear', because: 'server-error' };
  if (code === 409) return { kind: 'later', because: 'server-error' };
  const gone = GONE.find(([words]) => words.test(description));
  if (gone) return { kind: 'gone', because: gone[1] };
  const notPermitted = NOT_PERMITTED.find(([words]) => words.test(description));
  if (notPermitted) return { kind: 'not-permitted', because: notPermitted[1] };
  // Any other 403 is a setting of the chat, which its people can change.
  if (code === 403) return { kind: 'not-permitted', because: description };
  return { kind: 'refused', detail: description };
}

function cut(trouble: WireTrouble): Outcome {
  switch (trouble) {
    case 'unreachable':
      return { kind: 'later', because: 'unreachable' };
    case 'unavailable':
      return { kind: 'later', because: 'server-error' };
    case 'doubtful':
      return { kind: 'unclear', because: 'server-error' };
    case 'line-cut':
    case 'timeout':
      return { kind: 'unclear', because: trouble };
    default:
      return never(trouble);
  }
}

const wireError = (error: unknown): WireError | undefined => {
  const cause: unknown = error instanceof HttpError ? error.error : error;
  return cause instanceof WireError ? cause : undefined;
};

export const isUnchanged = (error: unknown): boolean => says(error, /message is not modified/iu);
export const isLost = (error: unknown): boolean =>
  says(
    error,
    /message (to edit not found|can't be edited|identifier is not specified)|MESSAGE_ID_INVALID|there is no \w+ in the message to edit/iu,
  );
/** Tells whether an edit failed because the message is a picture with a caption. */
export const isCaptioned = (error: unknown): boolean => says(error, /there is no text in the message to edit/iu);

const isGoneForEdit = (error: unknown): boolean =>
  says(error, /message to edit not found|message identifier is not specified|MESSAGE_ID_INVALID/iu);

/** Decides the next action after an edit. */
export function editOutcomeOf(error: unknown, to: Address): EditOutcome {
  if (isUnchanged(error)) return { kind: 'edited' };
  if (isGoneForEdit(error)) return { kind: 'lost', because: 'deleted' };
  if (isLost(error)) return { kind: 'lost', because: 'not-editable' };
  return outcomeOfEdit(outcomeOf(error, to));
}

export const isDeleted = (error: unknown): boolean => says(error, /message to delete not found|MESSAGE_ID_INVALID/iu);
export const isStale = (error: unknown): boolean => says(error, /query is too old|query ID is invalid|QUERY_ID_INVALID/iu);

/** Tells whether to send the text after its picture failed. A duplicate text is better than none. */
export function leavesWords(error: unknown, to: Address): boolean {
  const { kind } = outcomeOf(error, to);
  return kind === 'refused' || kind === 'not-permitted' || kind === 'unclear';
}

const says = (error: unknown, words: RegExp): boolean => error instanceof GrammyError && words.test(error.description);

/** Describes an error without the URL, which contains the token. */
export function inWords(error: unknown): string {
  if (error instanceof GrammyError) return `${error.method}: ${error.error_code} ${error.description}`;
  const cause = wireError(error);
  if (cause !== undefined) return cause.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

const MAX_TRIES = 3;
const MIN_WAIT = 2 * SECOND;
const MAX_WAIT = 30 * SECOND;

/** Retries requests to a chat, and continues in the new chat if the group became a supergroup. */
export interface Retrying {
  at(): ChatTopic;
  /** `isHarmless` allows a retry although the first request may have been executed. Rejects with the last error. */
  retry<T>(isHarmless: boolean, work: () => Promise<T>): Promise<T>;
}

export function retrying(
  { clock, report }: { readonly clock: Clock; readonly report: (event: ChatEvent) => void },
  { place, signal }: { readonly place: ChatTopic; readonly signal: AbortSignal },
): Retrying {
  let at = place;
  return {
    at: () => at,
    retry: async (isHarmless, work) =>
      repeated(work, {
        tries: MAX_TRIES,
        isHarmless,
        outcomeOf: (error) => outcomeOf(error, addressOf(at)),
        async pause(outcome, tried) {
          const wait = outcome.kind === 'later' && outcome.afterMs !== undefined ? outcome.afterMs : MIN_WAIT * tried;
          if (wait <= MAX_WAIT) await clock.sleep(wait, signal);
          return wait <= MAX_WAIT;
        },
        onMoved(to) {
          const next = placeOf(to) ?? at;
          report({ kind: 'moved', from: addressOf({ chat: at.chat }), to: addressOf({ chat: next.chat }) });
          at = next;
        },
      }),
  };
}
