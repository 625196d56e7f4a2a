/** Errors as sentences with a next step. Causes go to the log. */
import { MAX_TEXT_BYTES } from '../analytics/address.js';
import type { AnalyticsError, Trouble } from '../analytics/errors.js';
import { MAX_LINE } from '../chat/inbound.js';
import type { Line } from '../chat/reply.js';
import { clockTime } from '../domain/format.js';
import type { Instant } from '../domain/scalars.js';

interface When {
  readonly until: Instant | undefined;
  readonly now: Instant;
}

const at = ({ until, now }: When, otherwise: string): string => (until === undefined ? otherwise : `until ${clockTime(until, now)}`);

const sentences = {
  unreachable: () => 'The analytics service is not answering, and I have no older copy of this. Try again in a minute.',
  timeout: () => 'The analytics service took too long to answer. Try again in a minute.',
  limited: (when) => `The analytics service wants a pause ${at(when, 'for a few minutes')}. Ask again after that.`,
  forbidden: () => 'The plan behind this bot does not include that question. Whoever runs the bot can change the plan.',
  'key-refused': () => 'The analytics service does not accept this bot’s key. Whoever runs the bot needs to renew it.',
  unknown: () => 'The analytics service knows no such thing. Check the name or number, or ask about another one.',
  rejected: () => 'The analytics service did not accept that question. Ask it in another way; /help shows how.',
  malformed: () =>
    'The analytics service answered with something I cannot read, so I show nothing rather than something wrong. Try again later.',
  'budget-spent': (when) =>
    `This month’s request budget is used up ${at(when, 'for now')}, and I have no older copy of this. /status shows the plan.`,
  'allowance-spent': (when) =>
    `You have asked as much as one person or chat may for now. What I know already I still show; new questions are possible ${when.until === undefined ? 'later' : `from ${clockTime(when.until, when.now)}`}.`,
} satisfies Record<Trouble, (when: When) => string>;

const TOO_LARGE = 'The analytics service sent more data than I can read, so I show none of it. Try again later.';

const bytes = (count: number): string => `${count.toLocaleString('en-US')} bytes`;

const textTooLong = (count: number): string =>
  `That text is too long to ask the service about: it takes ${bytes(count)}, the limit is ${bytes(MAX_TEXT_BYTES)} (a plain letter takes 1, an accented one 6). Shorten it.`;

export const serviceErrorText = (error: AnalyticsError, now: Instant): string =>
  error.textBytes !== undefined
    ? textTooLong(error.textBytes)
    : error.tooLarge
      ? TOO_LARGE
      : sentences[error.trouble]({ until: error.until, now });

export const unexpectedErrorText = (reference: string): string =>
  `Something went wrong here; it is in the log under ${reference}. Try again, and tell whoever runs the bot if it stays.`;

export const storeErrorText = (reference: string): string =>
  `I could not read or save what I remember, so nothing was changed; the log says why under ${reference}. Try again in a minute.`;

/** Characters. */
export const tooLongText = (length: number): string =>
  `That message has ${length.toLocaleString('en-US')} characters; the limit is ${MAX_LINE.toLocaleString('en-US')}. Shorten it, or send a long list as a file with /watchlist import.`;

export const NOT_LISTED = 'This bot answers only in the chats and to the people its operator has listed.';

/** The ids are those of this chat and person, so they reveal nothing. */
export const accessHint = (circles: readonly string[]): Line => [
  'Whoever runs it can add one of these to ACCESS: ',
  { code: circles.join(', ') },
];

export const managersOnlyText = (place: string): string =>
  `Only people who can manage this ${place} can change its watchlist. You can have your own: open a private chat with me.`;
