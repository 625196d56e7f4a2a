/** This module words dates in alerts: ahead, over, or long before the alert. */
import { capitalised } from '../base/sentence-lists.js';
import { MINUTE } from '../base/clock.js';
import type { Line } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';

/** Returns text such as "ends in 19 h" or "ended 4 min ago". */
export const dated = (at: Instant, now: Instant, words: { readonly ahead: string; readonly over: string }): Line => [
  `${at > now ? words.ahead : words.over} `,
  { at },
];

export const ending = (at: Instant, now: Instant): Line => dated(at, now, { ahead: 'ends', over: 'ended' });

/** An alert within this time does not say when its event happened. */
const PROMPT = 15 * MINUTE;

/** Returns a line that says when an event happened, if it was detected late. */
export const lateLine = ({
  occurredAt,
  detectedAt,
}: {
  readonly occurredAt?: Instant | undefined;
  readonly detectedAt: Instant;
}): readonly Line[] => (occurredAt === undefined || detectedAt - occurredAt <= PROMPT ? [] : [['Happened ', { at: occurredAt }]]);

/** Joins parts with dots into one line, with a capital. */
export function oneLine(parts: readonly Line[]): readonly Line[] {
  const [first, ...rest] = parts.flatMap((part, index) => (index === 0 ? part : [' · ', ...part]));
  if (first === undefined) return [];
  return [[typeof first === 'string' ? capitalised(first) : first, ...rest]];
}
