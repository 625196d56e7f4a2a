/**
 * Cheap detectors: one global list, asked now and then, tells which projects changed, and saves a call per project. A detector only ever brings a
 * look forward, or lets the plan put it off up to its ceiling; what it never shows is found by the look itself. How far it is trusted is counted:
 * of the news that looks found, how much it had seen. Pure.
 */
import { z } from 'zod';
import { instantSchema, type Instant } from '../../domain/scalars.js';

/** What a detector remembers. */
export const detectorSchema = z.object({
  source: z.string(),
  /** When it last saw its list. */
  at: instantSchema,
  /** What it saw of each project, in a few words that differ when something changed. */
  prints: z.record(z.string(), z.string()),
  /** When it last saw a project change that was not looked at since. */
  called: z.record(z.string(), instantSchema),
  /** News of looks that it had seen, and that it had not. */
  hits: z.number(),
  misses: z.number(),
  /** Requests a run makes, on average. */
  cost: z.number(),
});
export type DetectorDocument = z.infer<typeof detectorSchema>;

export interface DetectorFacts {
  readonly id: string;
  /** The feed whose looks it may bring forward. */
  readonly feed: string;
  /** The part of the changes it sees, between 0 and `MOST_TRUST`. */
  readonly trust: number;
  readonly cost: number;
  readonly covers: (subject: string) => boolean;
}

/** What one run saw. `rest` stands for the projects that the list does not name; undefined where that says nothing about them. */
export interface Prints {
  readonly at: Instant;
  readonly prints: ReadonlyMap<string, string>;
  readonly rest: string | undefined;
}

/** How the last looks at a subject went. */
export interface Looked {
  readonly triedAt: Instant;
  /** The last one that brought news. */
  readonly eventAt?: Instant | undefined;
}

/** However good it was, the looks keep some weight of their own. */
const MOST_TRUST = 0.8;
/** So much is counted; older news fades, so that a list that lost a field is found out. */
const MOST_COUNTED = 40;

/** The part of the changes it sees: half until something is known (Laplace's rule of succession). */
export const trustOf = ({ hits, misses }: Pick<DetectorDocument, 'hits' | 'misses'>): number =>
  Math.min(MOST_TRUST, (hits + 1) / (hits + misses + 2));

/**
 * What is remembered after a run: which projects changed since the last one, and whether the news that looks found meanwhile (`lookOf`, by
 * subject) had been seen. The first run calls nobody.
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
    // Found by a look that was called for, or by one of its own and seen here now.
    if ((earlier !== undefined && news > earlier) || changed) hits += 1;
    else misses += 1;
  }
  const fade = Math.min(1, MOST_COUNTED / Math.max(1, hits + misses));
  const cost = known === undefined ? calls : known.cost + (calls - known.cost) * 0.3;
  return { source, at: seen.at, prints, called, hits: hits * fade, misses: misses * fade, cost };
}
