/** Decides the next action after an error of Discord. https://docs.discord.com/developers/topics/opcodes-and-status-codes */
import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { MINUTE } from '../../base/clock.js';
import { LateError } from '../../base/deadline.js';
import { never } from '../../base/never.js';
import { outcomeOfEdit, type DeliveryOutcome, type EditOutcome, type Outcome } from '../../chat/notifier.js';

export const REMOVED = 'the server was deleted, or I was removed from it';

const GONE: ReadonlyMap<number, string> = new Map([
  [10_003, 'the channel was deleted'],
  [10_004, REMOVED],
  [50_007, 'this person takes no direct messages from me'],
]);

/** Refusals whose cause people in the server can remove. */
const NOT_PERMITTED: ReadonlyMap<number, string> = new Map([
  [20_026, 'Discord has restricted this application; its owner finds the reason in the developer portal'],
  [40_067, 'each post needs a tag there, and I found none that I may use'],
  [50_001, "I can't see the channel"],
  [50_008, 'messages cannot be posted in this kind of channel'],
  [50_013, 'I may not post messages with embeds there'],
  [50_024, 'messages cannot be posted in this kind of channel'],
  [50_083, 'the thread is archived; open it again'],
  [160_005, 'the thread is locked; unlock it'],
  [200_000, "the server's automatic moderation blocked the message"],
  [200_001, "the server's automatic moderation blocked the message"],
]);

/** The codes of rate limits that come with another status than 429. */
const TOO_FAST: ReadonlySet<number> = new Set([20_016, 20_022, 20_028, 40_062]);
const NOT_NOW: ReadonlySet<number> = new Set([40_004, 130_000]);

/** The statuses of proxies that did not reach Discord. */
const NOTHING_DONE: ReadonlySet<number> = new Set([502, 503, 521, 522, 523, 525, 526, 530]);

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof RateLimitError)
    return { kind: 'later', because: 'rate-limited', afterMs: Math.max(error.timeToReset, error.retryAfter, error.sublimitTimeout, 0) };
  if (error instanceof DiscordAPIError) return refused(error);
  // After a server error it is unknown what the server had done.
  if (error instanceof HTTPError)
    return NOTHING_DONE.has(error.status) ? { kind: 'later', because: 'server-error' } : { kind: 'unclear', because: 'server-error' };
  return broken(troubleOf(error));
}

function refused({ code, status, message }: DiscordAPIError): Outcome {
  const number = Number(code);
  const gone = GONE.get(number);
  if (gone !== undefined) return { kind: 'gone', because: gone };
  const notPermitted = NOT_PERMITTED.get(number);
  if (notPermitted !== undefined) return { kind: 'not-permitted', because: notPermitted };
  if (status === 429 || TOO_FAST.has(number)) return { kind: 'later', because: 'rate-limited' };
  if (NOT_NOW.has(number)) return { kind: 'later', because: 'server-error' };
  // A refused token, a wrong URL or a banning proxy: nothing was posted, and the operator must correct it.
  if (status === 401 || number === 0 || Number.isNaN(number)) return { kind: 'later', because: 'unreachable' };
  // Any other 403 is a setting of the server, which its people can change.
  if (status === 403) return { kind: 'not-permitted', because: message };
  if (status === 408) return { kind: 'unclear', because: 'timeout' };
  return { kind: 'refused', detail: message };
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const EDITS_LIMITED = 30_046;
/** The wait after an edit was rate limited without a stated time. */
const EDIT_WAIT = MINUTE;

/** Decides the next action after an edit. */
export function editOutcomeOf(error: unknown): EditOutcome {
  if (isCode(error, 10_008)) return { kind: 'lost', because: 'deleted' };
  if (isCode(error, 50_005)) return { kind: 'lost', because: 'not-editable' };
  if (isCode(error, EDITS_LIMITED)) return { kind: 'later', because: 'edits-limited' };
  const outcome = outcomeOf(error);
  // Edits have separate rate limits, which must not delay alerts.
  if (outcome.kind === 'later' && outcome.because === 'rate-limited' && !(error instanceof RateLimitError && error.global))
    return { ...outcome, because: 'edits-limited', afterMs: outcome.afterMs ?? EDIT_WAIT };
  return outcomeOfEdit(outcome);
}

/** Turns the outcome of a read into one of a delivery. A read posts nothing, so `unclear` becomes `later`. */
export const afterReading = (outcome: Outcome): DeliveryOutcome =>
  outcome.kind === 'unclear' || outcome.kind === 'refused' || (outcome.kind === 'later' && outcome.because !== 'rate-limited')
    ? { kind: 'later', because: 'not-read-back' }
    : outcome;

type Trouble = 'unreachable' | 'timeout' | 'line-cut';

function broken(trouble: Trouble): Outcome {
  switch (trouble) {
    case 'unreachable':
      return { kind: 'later', because: trouble };
    case 'timeout':
    case 'line-cut':
      return { kind: 'unclear', because: trouble };
    default:
      return never(trouble);
  }
}

/** The codes of Node and undici after which nothing was sent. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  // The code of our own InactiveError.
  'NOT_ACTIVE',
]);
const TOO_LATE: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_ABORTED']);

function troubleOf(error: unknown): Trouble {
  const code = codeOf(error);
  if (NO_CONNECTION.has(code) || (code === 'ETIMEDOUT' && callOf(error) === 'connect')) return 'unreachable';
  if (TOO_LATE.has(code) || code === 'ETIMEDOUT' || error instanceof LateError || (error instanceof Error && error.name === 'AbortError'))
    return 'timeout';
  return 'line-cut';
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '');
const callOf = (error: unknown): unknown => (error instanceof Error && 'syscall' in error ? error.syscall : undefined);

export const isCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof DiscordAPIError && codes.includes(Number(error.code));

/** Tells whether files may have caused the error: they are too large, not permitted, or their upload was cut off. */
export const isForFiles = (error: unknown): boolean =>
  isCode(error, 40_005, 50_013) || (error instanceof DiscordAPIError && error.status === 413) || outcomeOf(error).kind === 'unclear';

/** The codes with which Discord refuses an answer, and what people can do about each. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [10_007, 'This person is not a member of the server.'],
  [10_011, 'This role was deleted. Somebody with Manage Roles can set it up again with /pings on.'],
  [50_001, "I can't see this channel. Grant me View Channel here, then try again."],
  [50_083, 'This thread is archived. Open it again, then try again.'],
  [
    60_003,
    'This server asks moderators for two-factor authentication, so the owner of this bot has to turn it on in their Discord account.',
  ],
  [160_005, 'This thread is locked. Unlock it, then try again.'],
  [200_000, "This server's automatic moderation blocked my message. Allow it there, then try again."],
  [200_001, "This server's automatic moderation blocked my message. Allow it there, then try again."],
]);

/** Returns a sentence for people about what Discord refused. Undefined if Discord did not answer, or cannot answer at present. */
export function refusalInWords(error: unknown): string | undefined {
  if (!(error instanceof DiscordAPIError) || error.status === 429 || error.status >= 500) return undefined;
  return REFUSALS.get(Number(error.code)) ?? `Discord refused this (code ${error.code}), so nothing was changed.`;
}

/** Leaves out the request, whose body and URL hold tokens. */
export function inWords(error: unknown): string {
  if (error instanceof RateLimitError) return `rate limited on ${error.route} for ${Math.ceil(error.timeToReset / 1_000)} s`;
  if (error instanceof DiscordAPIError) return `${error.status} ${error.code}: ${error.message}`;
  if (error instanceof HTTPError) return `${error.status}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  return code === '' ? `${error.name}: ${error.message}` : code;
}

export function registrationRemedy(error: unknown, guild: string | undefined): string {
  if (!(error instanceof DiscordAPIError) || (error.status !== 403 && error.status !== 404)) return 'this is tried again within the hour';
  const invite = 'invite the bot again with the scope applications.commands';
  return guild === undefined ? invite : `${invite}, and check that DISCORD_GUILD_ID is a server it is in`;
}
