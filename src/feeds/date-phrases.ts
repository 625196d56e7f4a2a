/** These phrases date what is ahead, behind, or long before the alert. */
import { capitalised } from '../base/sentence-lists.js';
import { MINUTE } from '../base/clock.js';
import type { Line } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';

/** It gives "ends in 19 h" or "ended 4 min ago". */
export const dated = (at: Instant, now: Instant, words: { readonly ahead: string; readonly over: string }): Line => [
  `${at > now ? words.ahead : words.over} `,
  { at },
];

export const ending = (at: Instant, now: Instant): Line => dated(at, now, { ahead: 'ends', over: 'ended' });

/** An alert that is this prompt does not date its event. */
const PROMPT = 15 * MINUTE;

/** The line dates an event that was detected late. */
export const lateLine = ({
  occurredAt,
  detectedAt,
}: {
  readonly occurredAt?: Instant | undefined;
  readonly detectedAt: Instant;
}): readonly Line[] => (occurredAt === undefined || detectedAt - occurredAt <= PROMPT ? [] : [['Happened ', { at: occurredAt }]]);

/** The parts are joined by dots, with a capital. */
export function oneLine(parts: readonly Line[]): readonly Line[] {
  const [first, ...rest] = parts.flatMap((part, index) => (index === 0 ? part : [' · ', ...part]));
  if (first === undefined) return [];
  return [[typeof first === 'string' ? capitalised(first) : first, ...rest]];
}
