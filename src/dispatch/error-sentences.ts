/** Errors as sentences with a next step. Causes go to the log. */
import { MAX_TEXT_BYTES } from '../analytics/endpoint-row.js';
import type { AnalyticsError, Trouble } from '../analytics/errors.js';
import { MAX_LINE } from '../chat/inbound.js';
import type { Line } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';

/** `at`: when the same request may succeed. `requested`: the service stated a time. */
const sentences = {
  unreachable: () => ["The analytics service isn't responding, and there is no saved data for this. Try again in a minute."],
  timeout: () => ['The analytics service took too long to answer. Try again in a minute.'],
  limited: (at, requested) =>
    at === undefined
      ? ['The analytics service is limiting requests. Try again in a few minutes.']
      : requested
        ? ['The analytics service asked us to wait. The next try is possible at ', { at, exact: true }, '.']
        : ['The analytics service is limiting requests. Next try: ', { at, exact: true }, '.'],
  forbidden: () => ["This bot's analytics plan doesn't include this. The operator can change the plan."],
  'key-refused': () => ["The analytics service rejected this bot's API key. The operator has to renew it."],
  unknown: () => ['Not found. Check the name or number.'],
  rejected: () => ['The analytics service rejected this request. See /help for examples.'],
  malformed: () => ['The analytics service sent data that could not be read. Try again later.'],
  'budget-spent': (at) => [
    "This month's API budget is used up ",
    ...(at === undefined ? ['for now'] : ['until ', { at, exact: true }]),
    ', and there is no saved data for this. /status has the details.',
  ],
  'allowance-spent': (at) => [
    'You or this chat reached the request limit. Saved data is still shown; new requests are possible ',
    ...(at === undefined ? ['later'] : ['from ', { at, exact: true }]),
    '.',
  ],
} satisfies Record<Trouble, (at: Instant | undefined, requested: boolean) => Line>;

const TOO_LARGE = 'The analytics service sent too much data to show. Try again later.';

const bytes = (count: number): string => `${count.toLocaleString('en-US')} bytes`;

const textTooLong = (count: number): string =>
  `That text is too long to search for: it takes ${bytes(count)}, the limit is ${bytes(MAX_TEXT_BYTES)} (a plain letter takes 1, an accented one 6). Shorten it.`;

export const serviceErrorText = ({ textBytes, tooLarge, trouble, until: at, requested }: AnalyticsError): Line =>
  textBytes !== undefined ? [textTooLong(textBytes)] : tooLarge ? [TOO_LARGE] : sentences[trouble](at, requested);

export const unexpectedErrorText = (reference: string): string =>
  `Something went wrong (log reference ${reference}). Try again; if it keeps failing, contact the bot's operator.`;

export const storeErrorText = (reference: string): string =>
  `The database could not be read or written, so nothing was changed (log reference ${reference}). Try again in a minute.`;

/** Characters. */
export const tooLongText = (length: number): string =>
  `That message has ${length.toLocaleString('en-US')} characters; the limit is ${MAX_LINE.toLocaleString('en-US')}. Shorten it, or send a long list as a file with /watchlist import.`;

export const NOT_LISTED = 'This bot only answers chats and people its operator has allowed.';

export const ASK_ELSEWHERE: Line = ['If one of your servers or groups is allowed, use the bot there.'];

/** Of this chat and person only. */
export const accessHint = (circles: readonly string[]): Line => [
  'The operator can add one of these to ACCESS: ',
  { code: circles.join(', ') },
];

export const OUTSIDE = "I'm not in this server or chat, so I can't post alerts here. You can have them in a DM with me.";

export const NO_DIRECT = "I can't open a private chat with you from here. Write to me there, and use the command again.";

export const managersOnlyText = (place: string): string =>
  `Only people who can manage this ${place} can change its watchlist. You can have your own in a DM with me.`;
