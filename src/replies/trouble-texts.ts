/** Short texts for failures of the service. */
import type { Trouble } from '../analytics/errors.js';
import type { PauseState } from '../analytics/service-pause.js';
import type { Line } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';

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

/** A pause after a refusal: until when the service asked for it, and when it is tried before its end. */
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
