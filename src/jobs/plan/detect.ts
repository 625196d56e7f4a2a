/** Detectors: a global list shows changed projects, and moves their checks by measured trust. Pure. */
import { z } from 'zod';
import { instantSchema, type Instant } from '../../domain/scalars.js';

export const detectorSchema = z.object({
  source: z.string(),
  at: instantSchema,
  /** Fingerprints by project. */
  prints: z.record(z.string(), z.string()),
  /** Changed and not checked since. */
  called: z.record(z.string(), instantSchema),
  /** Events that it had seen, and missed. */
  hits: z.number(),
  misses: z.number(),
  cost: z.number(),
});
export type DetectorDocument = z.infer<typeof detectorSchema>;

export interface DetectorFacts {
  readonly id: string;
  readonly feed: string;
  readonly trust: number;
  readonly cost: number;
  readonly covers: (subject: string) => boolean;
}

/** `rest`: of projects not on the list; undefined if unknown. */
export interface Prints {
  readonly at: Instant;
  readonly prints: ReadonlyMap<string, string>;
  readonly rest: string | undefined;
}

export interface LastCheck {
  readonly triedAt: Instant;
  readonly eventAt?: Instant | undefined;
}

const MAX_TRUST = 0.8;
/** Older ones decay. */
const MAX_COUNTED = 40;

/** Laplace's rule of succession. */
export const trustOf = ({ hits, misses }: Pick<DetectorDocument, 'hits' | 'misses'>): number =>
  Math.min(MAX_TRUST, (hits + 1) / (hits + misses + 2));

/** The first run calls no checks. */
export function afterRun(
  before: DetectorDocument | undefined,
  seen: Prints,
  {
    subjects,
    recordOf,
    source,
    calls,
  }: { subjects: readonly string[]; recordOf: (subject: string) => LastCheck | undefined; source: string; calls: number },
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
    const record = recordOf(subject);
    if (changed) called[subject] = seen.at;
    else if (earlier !== undefined && (record?.triedAt ?? 0) <= earlier) called[subject] = earlier;
    const lastEvent = record?.eventAt;
    if (known === undefined || then === undefined || lastEvent === undefined || lastEvent <= known.at) continue;
    // Found by a check that was called for (the call is no newer than the last run), or by a scheduled one and seen now.
    if (earlier !== undefined || changed) hits += 1;
    else misses += 1;
  }
  const fade = Math.min(1, MAX_COUNTED / Math.max(1, hits + misses));
  const cost = known === undefined ? calls : known.cost + (calls - known.cost) * 0.3;
  return { source, at: seen.at, prints, called, hits: hits * fade, misses: misses * fade, cost };
}
