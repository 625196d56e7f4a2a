/** Words the age of the service's answers in a reply, and why one is missing. */
import { AnalyticsError, type Trouble } from '../analytics/errors.js';
import type { PauseState } from '../analytics/service-pause.js';
import { isOld, type Line, type Reply } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { instant } from '../base/clock.js';
import { duration, UNKNOWN } from '../domain/format.js';

const staleReasons = {
  unreachable: "The analytics service isn't responding.",
  timeout: 'The analytics service took too long to answer.',
  limited: 'The analytics service is rate limiting this bot.',
  forbidden: "This bot's data plan no longer includes this.",
  'key-refused': "The analytics service rejected this bot's API key.",
  unknown: 'The analytics service has no data for this anymore.',
  rejected: 'The analytics service rejected the request.',
  malformed: 'The analytics service sent an unreadable response.',
  'budget-spent': "This month's API budget is used up.",
  'allowance-spent': "You've reached the request limit. Try again later.",
} satisfies Record<Trouble, string>;

export const staleReason = (trouble: Trouble): string => staleReasons[trouble];

/** Words a pause: its end as stated by the service, and when the bot tries again before that. */
export function pauseLine({ askedUntil, questionsFrom, checksFrom }: PauseState, now: Instant): Line {
  const asked: Line =
    askedUntil === undefined
      ? ['The analytics service is limiting requests']
      : ['The analytics service asked us to wait until ', { at: askedUntil, exact: true }];
  if (questionsFrom === askedUntil) return [...asked, '.'];
  if (questionsFrom === checksFrom && questionsFrom > now) return [...asked, '. Next try: ', { at: questionsFrom, exact: true }, '.'];
  const question: Line = questionsFrom <= now ? ['with the next question'] : [{ at: questionsFrom, exact: true }, ' for questions'];
  const check: Line = checksFrom <= now ? ['with the next check'] : [{ at: checksFrom, exact: true }, ' for checks'];
  return [...asked, '. Next try: ', ...question, ', ', ...check, '.'];
}

const missingReasons = {
  unreachable: 'not responding',
  timeout: 'too slow',
  limited: 'rate limited',
  forbidden: 'not in the plan',
  'key-refused': 'API key rejected',
  unknown: 'no data',
  rejected: 'request rejected',
  malformed: 'unreadable response',
  'budget-spent': 'API budget used up',
  'allowance-spent': 'request limit reached',
} satisfies Record<Trouble, string>;

export const missingReason = (trouble: Trouble): string => missingReasons[trouble];

export interface Aged {
  readonly at: Instant;
  readonly dataAt?: Instant | undefined;
  readonly stale?: Trouble;
}

export function ages(...answers: readonly (Aged | undefined)[]): Pick<Reply, 'asOf' | 'stale'> {
  const known = answers.filter((answer) => answer !== undefined);
  const stale = known.find((answer) => answer.stale !== undefined)?.stale;
  const moments = known.map(({ at, dataAt = at }) => Math.min(at, dataAt));
  return omitUndefined({
    asOf: moments.length === 0 ? undefined : instant(Math.min(...moments)),
    stale: stale && staleReason(stale),
  });
}

/** Tells whether an answer has to be described in the past tense. */
export const isPast = (answer: Aged | undefined, now: Instant): boolean => {
  const { asOf } = ages(answer);
  return asOf !== undefined && isOld(asOf, now);
};

export const rowAge = ({ updatedAt }: { readonly updatedAt?: Instant | undefined }, now: Instant): string =>
  updatedAt !== undefined && isOld(updatedAt, now) ? ` ⚠ ${duration(now - updatedAt)} old` : '';

export interface OptionalAnswer<A> {
  readonly answer?: A;
  readonly missing?: AnalyticsError;
}

/** Turns an `AnalyticsError` into a missing answer. Rejects with other errors. */
export async function optional<A>(pending: Promise<A>): Promise<OptionalAnswer<A>> {
  try {
    return { answer: await pending };
  } catch (error) {
    if (error instanceof AnalyticsError) return { missing: error };
    throw error;
  }
}

export const missingText = ({ missing }: OptionalAnswer<unknown>): string =>
  missing === undefined ? UNKNOWN : `${UNKNOWN}: ${missingReason(missing.trouble)}`;

/** Throws the first error if all are missing. */
export function needOne(...parts: readonly OptionalAnswer<unknown>[]): void {
  const [failure] = parts.flatMap(({ missing }) => missing ?? []);
  if (failure !== undefined && parts.every(({ answer }) => answer === undefined)) throw failure;
}
