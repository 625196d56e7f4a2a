/** Short texts for failures of the service. */
import type { Trouble } from '../analytics/errors.js';

const staleReasons = {
  unreachable: 'The analytics service is not answering.',
  timeout: 'The analytics service took too long to answer.',
  limited: 'The analytics service wants a pause.',
  forbidden: 'The plan behind this bot does not include that any more.',
  'key-refused': 'The analytics service does not accept this bot’s key.',
  unknown: 'The analytics service does not know that any more.',
  rejected: 'The analytics service did not accept the question.',
  malformed: 'The analytics service answered with something I cannot read.',
  'budget-spent': 'This month’s request budget is used up.',
  'allowance-spent': 'You have asked as much as one person or chat may for now.',
} satisfies Record<Trouble, string>;

export const staleReason = (trouble: Trouble): string => staleReasons[trouble];

const missingReasons = {
  unreachable: 'not answering',
  timeout: 'too slow',
  limited: 'wants a pause',
  forbidden: 'not in the plan',
  'key-refused': 'key refused',
  unknown: 'not known to the service',
  rejected: 'question refused',
  malformed: 'answer not readable',
  'budget-spent': 'budget used up',
  'allowance-spent': 'asked too much for now',
} satisfies Record<Trouble, string>;

export const missingReason = (trouble: Trouble): string => missingReasons[trouble];
