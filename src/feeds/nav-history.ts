/** This module reads the daily price, NAV/share and NAV of a project (§4.9), once a day. */
import type { Analytics, CallOptions } from '../analytics/analytics.js';
import { navAsChart } from '../analytics/endpoints/treasury.js';
import { AnalyticsError, type Trouble } from '../analytics/errors.js';
import { DAY, later } from '../base/clock.js';
import { memoize } from '../base/bounded-cache.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { multiply } from '../domain/decimal.js';
import type { Backing } from '../domain/premium.js';
import type { Decimal, Instant, Slug } from '../domain/scalars.js';
import { projectOf } from './check-subject.js';
import type { PastSnapshots, Subject } from './feed.js';
import type { PastContext } from './history.js';

/** Values of a day, in USD. `premium` is in percent, as reported. */
export interface PastPoint extends Backing {
  readonly at: Instant;
  readonly premium?: Decimal | undefined;
}

interface NavHistoryContext {
  readonly analytics: Analytics;
  readonly options: CallOptions;
  readonly now: Instant;
  readonly historyAge?: number | undefined;
}

const OLD_HISTORY = 2 * DAY;

/** Why backtests have no runway and no allowance: the chart has neither. */
export const PAST_RUNWAY = 'The service gives the runway of one moment per call, so a year of it would take 365 API calls.';
export const PAST_ALLOWANCE = 'The service gives the allowance of one moment per call, so a year of it would take 365 API calls.';

/** Errors after which the next check does not retry. */
const FINAL: ReadonlySet<Trouble> = new Set(['forbidden', 'unknown', 'rejected', 'malformed']);
/** When a chart was refused, by client and project. */
const refusals = new WeakMap<Analytics, Map<Slug, Instant>>();

export interface NavHistory {
  /** Oldest first. The same array while the chart is unchanged. */
  readonly past: readonly PastPoint[];
  /** The chart lacks some of the last days, so extremes must not be judged by it. */
  readonly isPastOld: boolean;
}

const NO_HISTORY: NavHistory = { past: [], isPastOld: false };

export async function navHistory(slug: Slug, { analytics, options, now, historyAge }: NavHistoryContext): Promise<NavHistory> {
  const refused = refusals.get(analytics) ?? new Map<Slug, Instant>();
  refusals.set(analytics, refused);
  const refusedAt = refused.get(slug);
  if (refusedAt !== undefined && now < later(refusedAt, DAY)) return NO_HISTORY;
  try {
    const { points, at } = await readNavChart(slug, { analytics, options, historyAge });
    refused.delete(slug);
    return { past: points, isPastOld: now - at > OLD_HISTORY };
  } catch (cause) {
    if (!(cause instanceof AnalyticsError)) throw cause;
    if (FINAL.has(cause.trouble)) refused.set(slug, now);
    return NO_HISTORY;
  }
}

/** Reads the chart. Rejects as `Analytics.call` does. */
async function readNavChart(slug: Slug, { analytics, options, historyAge = DAY }: Omit<NavHistoryContext, 'now'>) {
  // Cached copies are good enough, because history does not change.
  const { data, ...answer } = await analytics.call(
    navAsChart,
    { slug, range: 'ALL' },
    { ...options, maxAge: historyAge, ifFailing: 'serve' },
  );
  return { ...answer, points: endsOf(data.rows), broken: data.broken };
}

/** Returns the chart as last read, without a request; empty if it was never read. */
export async function keptNavHistory(slug: string, analytics: Pick<Analytics, 'kept'>): Promise<readonly PastPoint[]> {
  const kept = await analytics.kept(navAsChart, { slug, range: 'ALL' });
  return kept === undefined ? [] : endsOf(kept.data.rows);
}

interface PastNavContext<S> {
  readonly context: PastContext;
  /** Makes a snapshot's data. `past` is the same array for all points, so that results can be cached by it. */
  readonly seen: (point: PastPoint, past: readonly PastPoint[]) => S;
}

export async function pastNavSnapshots<S>(subject: Subject, { context, seen }: PastNavContext<S>): Promise<PastSnapshots<S>> {
  const { points, at, dataAt, stale, broken } = await readNavChart(projectOf(subject).slug, context);
  const within = points.filter((point) => point.at >= context.from && point.at <= context.now);
  const how = { complete: true, hidden: 0, broken: 0 };
  return {
    ...omitUndefined({ at, dataAt, stale }),
    since: points[0]?.at,
    hidden: 0,
    broken,
    // Every snapshot has the whole chart: `diff` ignores points later than the snapshot.
    snapshots: within.map((point) => ({ ...how, data: seen(point, points), at: point.at })),
  };
}

interface Row {
  readonly at?: Instant | undefined;
  readonly price?: Decimal | undefined;
  readonly navPerShare?: Decimal | undefined;
  readonly adjustedSupply?: Decimal | undefined;
  readonly premium?: Decimal | undefined;
}

const endsOf = memoize((rows: readonly Row[]): readonly PastPoint[] => {
  const known = rows
    .flatMap(({ at, ...row }) => (at === undefined ? [] : [{ ...row, at }]))
    .filter(({ price, navPerShare, premium }) => premium !== undefined || (price !== undefined && navPerShare !== undefined))
    .toSorted((a, b) => a.at - b.at);
  // Keep one row a day before computing NAV, because a long chart has many more rows.
  const ofDays = new Map(known.map((row) => [Math.floor(row.at / DAY), row]));
  return [...ofDays.values()].map(({ adjustedSupply, ...row }): PastPoint => ({ ...row, nav: navOf({ ...row, adjustedSupply }) }));
});

/** Minimum significant digits of NAV/share. With fewer, its product with the supply is inexact. */
const MIN_DIGITS = 4;

function navOf({ navPerShare, adjustedSupply }: Pick<Row, 'navPerShare' | 'adjustedSupply'>): Decimal | undefined {
  if (navPerShare === undefined || adjustedSupply === undefined) return undefined;
  const digits = navPerShare.replace(/[-.]/gu, '').replace(/^0+/u, '').length;
  return digits < MIN_DIGITS ? undefined : multiply(navPerShare, adjustedSupply);
}
