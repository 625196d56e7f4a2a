/** Gap between price and NAV/share, percent of NAV/share: positive is a premium. */
import { DAY, HOUR } from '../base/clock.js';
import { memoize } from '../base/bounded-cache.js';
import { calculated } from './calculations.js';
import { compare, divide, isApart, isZero, mean, multiply, percentChange } from './decimal.js';
import { decimal, type Decimal, type Instant } from './scalars.js';

export interface Prices {
  readonly price?: Decimal;
  readonly navPerShare?: Decimal;
  readonly premium?: Decimal;
}

export interface Gap {
  readonly percent?: Decimal;
  /** If it differs by more than rounding. */
  readonly reported?: Decimal;
}

/** Percentage points. */
const ROUNDING = decimal('0.1');

/** A NAV/share of zero gives no gap. */
export function gapOf({ price, navPerShare, premium }: Prices): Gap {
  const computed = price === undefined || navPerShare === undefined ? undefined : percentChange(navPerShare, price);
  if (computed === undefined) return { percent: premium };
  const disagrees = premium !== undefined && isApart(computed, premium, ROUNDING);
  return { percent: computed, ...(disagrees ? { reported: premium } : {}) };
}

export interface DatedPrice extends Prices {
  readonly at?: Instant;
}

export interface GapPoint extends Prices {
  readonly at: Instant;
  readonly gap: Decimal;
}

export interface GapRange {
  readonly low: GapPoint;
  readonly high: GapPoint;
  readonly mean: Decimal;
  /** Of every day or hour, oldest first. */
  readonly ends: readonly GapPoint[];
}

const summed = memoize((points: readonly DatedPrice[]) => {
  const known = points
    .flatMap((point): GapPoint[] => {
      const { percent } = gapOf(point);
      return point.at === undefined || percent === undefined ? [] : [{ ...point, at: point.at, gap: percent }];
    })
    .toSorted((a, b) => a.at - b.at);
  const sorted = known.toSorted((a, b) => compare(a.gap, b.gap));
  const gaps = known.map(({ gap }) => gap);
  return { known, gaps, low: sorted[0], high: sorted.at(-1), mean: mean(gaps) };
});

/** Undefined where no point has both a moment and a gap. */
export function gapRange(points: readonly DatedPrice[], per: 'hour' | 'day'): GapRange | undefined {
  const { known, gaps, low, high, mean: average } = summed(points);
  if (low === undefined || high === undefined || average === undefined) return undefined;
  const length = per === 'hour' ? HOUR : DAY;
  const ends = new Map(known.map((point) => [Math.floor(point.at / length), point]));
  calculated(average, 'mean', gaps);
  for (const point of [low, high]) recorded(point);
  return { low, high, mean: average, ends: [...ends.values()] };
}

/** Recorded for this question. */
export function recorded({ gap, price, navPerShare }: GapPoint): Decimal {
  return price === undefined || navPerShare === undefined || isZero(navPerShare) ? gap : calculated(gap, 'change', [navPerShare, price]);
}

/** Percent of gaps that are lower or higher. */
export interface PremiumRank {
  readonly than: 'higher' | 'lower';
  readonly share: Decimal;
}

/** Undefined where no other gap differs. */
export function premiumRank(gap: Decimal, among: readonly GapPoint[]): PremiumRank | undefined {
  const compared = among.map((other) => compare(gap, other.gap));
  const share = (count: number) => divide(multiply(decimal(count), decimal('100')), decimal(among.length));
  const [higher, lower] = [share(compared.filter((sign) => sign > 0).length), share(compared.filter((sign) => sign < 0).length)];
  if (higher === undefined || lower === undefined || (isZero(higher) && isZero(lower))) return undefined;
  return compare(higher, lower) >= 0 ? { than: 'higher', share: higher } : { than: 'lower', share: lower };
}
