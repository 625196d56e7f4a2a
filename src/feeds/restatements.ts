/** This file spaces out corrections of one value, to limit messages and edits. It is pure. */
import { z } from 'zod';
import { backoff } from '../base/backoff.js';
import { MINUTE } from '../base/clock.js';
import { instantSchema, type Instant } from '../domain/scalars.js';

const restatementSchema = z.object({ times: z.int().min(1), at: instantSchema });
/** It counts how often each value was corrected, and keeps when that was last. */
export const restatementsSchema = z.record(z.string(), restatementSchema);
type Restatements = z.infer<typeof restatementsSchema>;
type Restatement = z.infer<typeof restatementSchema>;

/** These pauses allow about twelve corrections a week. */
const PAUSE = { first: 5 * MINUTE, most: 5 * MINUTE * 2 ** 12 };

/** Before that the earlier value stays. */
export const isCorrectionDue = (last: Restatement | undefined, now: Instant): boolean =>
  // The clock may have been set back.
  last === undefined || now < last.at || now - last.at >= backoff(PAUSE, last.times);

/** The same correction again is another one. */
export const versionOf = (version: string, last: Restatement | undefined): string =>
  last === undefined ? version : `${version}#${last.times}`;

export const correctedAgain = (last: Restatement | undefined, at: Instant): Restatement => ({ times: (last?.times ?? 0) + 1, at });

/** It is undefined if none is left. */
export function keptRestatements(all: ReadonlyMap<string, Restatement>, isKept: (key: string) => boolean): Restatements | undefined {
  const kept = [...all].filter(([key]) => isKept(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
