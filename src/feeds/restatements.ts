/** This module spaces corrections of one value, to limit messages and edits. It is pure. */
import { z } from 'zod';
import { backoff } from '../base/backoff.js';
import { MINUTE } from '../base/clock.js';
import { instantSchema, type Instant } from '../domain/scalars.js';

const restatementSchema = z.object({ times: z.int().min(1), at: instantSchema });
/** How often each value was corrected, and when last. */
export const restatementsSchema = z.record(z.string(), restatementSchema);
type Restatements = z.infer<typeof restatementsSchema>;
type Restatement = z.infer<typeof restatementSchema>;

/** These pauses allow about twelve corrections of a value in a week. */
const PAUSE = { first: 5 * MINUTE, most: 5 * MINUTE * 2 ** 12 };

/** Tells whether a correction may be reported. Until then the reported value stays. */
export const isCorrectionDue = (last: Restatement | undefined, now: Instant): boolean =>
  // The clock may have been set back.
  last === undefined || now < last.at || now - last.at >= backoff(PAUSE, last.times);

/** Returns a version that differs if the same correction is made again later. */
export const versionOf = (version: string, last: Restatement | undefined): string =>
  last === undefined ? version : `${version}#${last.times}`;

export const correctedAgain = (last: Restatement | undefined, at: Instant): Restatement => ({ times: (last?.times ?? 0) + 1, at });

/** Returns the entries to keep; undefined if none is left. */
export function keptRestatements(all: ReadonlyMap<string, Restatement>, isKept: (key: string) => boolean): Restatements | undefined {
  const kept = [...all].filter(([key]) => isKept(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
