/**
 * The past of price, NAV/AS and NAV, a point a day (§4.9). It is asked for once a day and project, for extremes, z-scores and for what it was yesterday;
 * figures are read without it where it cannot be had.
 */
import type { Analytics, CallOptions } from '../analytics/analytics.js';
import { navAsChart } from '../analytics/endpoints/treasury.js';
import { AnalyticsError, type Trouble } from '../analytics/errors.js';
import { DAY, later } from '../base/clock.js';
import { derived } from '../base/derived.js';
import { multiply } from '../domain/decimal.js';
import type { Backing } from '../domain/moved.js';
import type { Decimal, Instant, Slug } from '../domain/scalars.js';

/** USD; `premium` as reported. */
export interface PastPoint extends Backing {
  readonly at: Instant;
  readonly premium?: Decimal | undefined;
}

interface Asker {
  readonly analytics: Analytics;
  readonly options: CallOptions;
  readonly now: Instant;
}

/** Verdicts on the chart itself: asking again at the next look would cost a call and change nothing. */
const FINAL: ReadonlySet<Trouble> = new Set(['forbidden', 'unknown', 'rejected', 'malformed']);
/** When the chart of a project was refused. What is forgotten with the process costs one call. */
const refusals = new WeakMap<Analytics, Map<Slug, Instant>>();

/**
 * The last known point of each day, oldest first; none where the service does not give them. The same list as long as the chart is the same. Throws
 * only what is no trouble of the service.
 */
export async function navHistory(slug: Slug, { analytics, options, now }: Asker): Promise<readonly PastPoint[]> {
  const refused = refusals.get(analytics) ?? new Map<Slug, Instant>();
  refusals.set(analytics, refused);
  const refusedAt = refused.get(slug);
  if (refusedAt !== undefined && now < later(refusedAt, DAY)) return [];
  try {
    // An older copy will do: what a year was does not change within a day or two.
    const { data } = await analytics.call(navAsChart, { slug, range: 'ALL' }, { ...options, maxAge: DAY, ifFailing: 'serve' });
    refused.delete(slug);
    return endsOf(data.rows);
  } catch (cause) {
    if (!(cause instanceof AnalyticsError)) throw cause;
    if (FINAL.has(cause.trouble)) refused.set(slug, now);
    return [];
  }
}

interface Row {
  readonly at?: Instant | undefined;
  readonly price?: Decimal | undefined;
  readonly navPerShare?: Decimal | undefined;
  readonly adjustedSupply?: Decimal | undefined;
  readonly premium?: Decimal | undefined;
}

const endsOf = derived((rows: readonly Row[]): readonly PastPoint[] => {
  const points = rows
    .flatMap(({ at, adjustedSupply, ...row }): PastPoint[] =>
      at === undefined ? [] : [{ ...row, at, nav: navOf({ ...row, adjustedSupply }) }],
    )
    .filter(({ price, navPerShare, premium }) => premium !== undefined || (price !== undefined && navPerShare !== undefined))
    .toSorted((a, b) => a.at - b.at);
  return [...new Map(points.map((point) => [Math.floor(point.at / DAY), point])).values()];
});

/** Fewer digits than these, and NAV/AS times the supply would be a guess at NAV. */
const LEAST_DIGITS = 4;

function navOf({ navPerShare, adjustedSupply }: Pick<Row, 'navPerShare' | 'adjustedSupply'>): Decimal | undefined {
  if (navPerShare === undefined || adjustedSupply === undefined) return undefined;
  const digits = navPerShare.replace(/[-.]/gu, '').replace(/^0+/u, '').length;
  return digits < LEAST_DIGITS ? undefined : multiply(navPerShare, adjustedSupply);
}
