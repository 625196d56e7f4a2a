/** A date in the words of whoever reads it: what an alert said was to come may be over when somebody asks why it came. */
import type { Line } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';

/** "ends in 19 h", "ended 4 min ago". */
export const dated = (at: Instant, now: Instant, words: { readonly ahead: string; readonly over: string }): Line => [
  `${at > now ? words.ahead : words.over} `,
  { at },
];

export const ending = (at: Instant, now: Instant): Line => dated(at, now, { ahead: 'ends', over: 'ended' });
