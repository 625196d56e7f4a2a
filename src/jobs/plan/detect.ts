/**
 * Detectors: one global list shows which projects changed and saves a call per project. They only move a check forward or let it be put
 * off up to its ceiling. Trust is measured: the part of events found by checks that the detector had seen. Pure.
 */
import { z } from 'zod';
import { instantSchema, type Instant } from '../../domain/scalars.js';

export const detectorSchema = z.object({
  source: z.string(),
  /** When it last read its list. */
  at: instantSchema,
  /** Per project a fingerprint of what the list shows. */
  prints: z.record(z.string(), z.string()),
  /** Projects that changed and were not checked since. */
  called: z.record(z.string(), instantSchema),
  /** Events of checks that it had seen, and that it missed. */
  hits: z.number(),
  misses: z.number(),
  /** Requests per run, moving average. */
  cost: z.number(),
});
export type DetectorDocument = z.infer<typeof detectorSchema>;

export interface DetectorFacts {
  readonly id: string;
  readonly feed: string;
  /** The part of changes it sees, from 0 to `MAX_TRUST`. */
  readonly trust: number;
  readonly cost: number;
  readonly covers: (subject: string) => boolean;
}

/** `rest`: the fingerprint of projects not on the list; undefined if that says nothing. */
export interface Prints {
  readonly at: Instant;
  readonly prints: ReadonlyMap<string, string>;
  readonly rest: string | undefined;
}

export interface Looked {
  readonly triedAt: Instant;
  /** The last check with events. */
  readonly eventAt?: Instant | undefined;
}

/** Checks keep some weight however good a detector is. */
const MOST_TRUST = 0.8;
/** Older events decay, so that a list that lost a field is noticed. */
const MOST_COUNTED = 40;

/** Laplace's rule of succession: one half without observations. */
export const trustOf = ({ hits, misses }: Pick<DetectorDocument, 'hits' | 'misses'>): number =>
  Math.min(MOST_TRUST, (hits + 1) / (hits + misses + 2));

/**
 * The document after a run: projects that changed, and whether events found by checks meanwhile had been seen. The first run calls no
 * checks.
 */
export function afterRun(
  before: DetectorDocument | undefined,
  seen: Prints,
  {
    subjects,
    lookOf,
    source,
    calls,
  }: { subjects: readonly string[]; lookOf: (subject: string) => Looked | undefined; source: string; calls: number },
): DetectorDocument {
  const known = before?.source === source ? before : undefined;
  const prints: Record<string, string> = {};
  const called: Record<string, Instant> = {};
  let { hits, misses } = known ?? { hits: 0, misses: 0 };
  for (const subject of subjects) {
    const then = known?.prints[subject];
    const now = seen.prints.get(subject) ?? seen.rest ?? then;
    if (now !== undefined) prints[subject] = now;
    const changed = then !== undefined && now !== then;
    const earlier = known?.called[subject];
    const look = lookOf(subject);
    if (changed) called[subject] = seen.at;
    else if (earlier !== undefined && (look?.triedAt ?? 0) <= earlier) called[subject] = earlier;
    const news = look?.eventAt;
    if (known === undefined || then === undefined || news === undefined || news <= known.at) continue;
    // Found by a check that was called for, or by a scheduled one and seen now.
    if ((earlier !== undefined && news > earlier) || changed) hits += 1;
    else misses += 1;
  }
  const fade = Math.min(1, MOST_COUNTED / Math.max(1, hits + misses));
  const cost = known === undefined ? calls : known.cost + (calls - known.cost) * 0.3;
  return { source, at: seen.at, prints, called, hits: hits * fade, misses: misses * fade, cost };
}
