/** Phrases for a date that may lie ahead or behind. */
import type { Line } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';

/** "ends in 19 h", "ended 4 min ago". */
export const dated = (at: Instant, now: Instant, words: { readonly ahead: string; readonly over: string }): Line => [
  `${at > now ? words.ahead : words.over} `,
  { at },
];

export const ending = (at: Instant, now: Instant): Line => dated(at, now, { ahead: 'ends', over: 'ended' });
