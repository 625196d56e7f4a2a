/** How old the data of each feed is. Pure. */
import { isAbsent, type CheckRecord } from '../alerts/checks/check-records.js';
import { instant, MINUTE, type Instant } from '../base/clock.js';

export interface FeedFreshness {
  readonly id: string;
  /** The oldest last successful check of a subject. */
  readonly goodAt?: Instant | undefined;
  /** In ms; infinite while the budget is used up. */
  readonly every?: number | undefined;
  /** Undefined: none is stale. */
  readonly staleSince?: Instant | undefined;
}

/** Two checks may fail before a third is late by this much. */
const MISSED = 3;
const GRACE = 10 * MINUTE;

export interface FreshnessInput {
  readonly feeds: readonly { readonly id: string }[];
  readonly records: readonly CheckRecord[];
  /** By `<feed>/<subject>`, in ms; what is not planned is not checked. */
  readonly intervals: ReadonlyMap<string, number>;
  readonly startedAt: Instant;
  readonly now: Instant;
}

export function feedFreshness({ feeds, records, intervals, startedAt, now }: FreshnessInput): readonly FeedFreshness[] {
  const found = new Map<string, { goodAt: number; every: number; staleSince: number }>();
  for (const record of records) {
    const every = intervals.get(`${record.feed}/${record.subject}`);
    const goodAt = record.okAt ?? record.failingSince;
    if (every === undefined || goodAt === undefined || isAbsent(record)) continue;
    const of = found.get(record.feed) ?? { goodAt: Infinity, every: 0, staleSince: Infinity };
    const isStale = now - Math.max(goodAt, startedAt) > MISSED * every + GRACE;
    found.set(record.feed, {
      goodAt: Math.min(of.goodAt, goodAt),
      every: Math.max(of.every, every),
      staleSince: isStale ? Math.min(of.staleSince, goodAt) : of.staleSince,
    });
  }
  return feeds.map(({ id }) => {
    const of = found.get(id);
    if (of === undefined) return { id };
    const { goodAt, every, staleSince } = of;
    return { id, goodAt: instant(goodAt), every, staleSince: Number.isFinite(staleSince) ? instant(staleSince) : undefined };
  });
}
