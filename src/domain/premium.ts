/**
 * The gap between price and NAV/AS, in percent of NAV/AS: positive is a premium, negative a discount. It is computed from the two wherever
 * both are known; what the service reports is kept beside it where they disagree.
 */
import { DAY, HOUR } from '../base/clock.js';
import { derived } from '../base/derived.js';
import { absolute, compare, divide, isNegative, isZero, mean, multiply, percentChange, subtract } from './decimal.js';
import { decimal, type Decimal, type Instant } from './scalars.js';

export interface Prices {
  readonly price?: Decimal;
  readonly navPerShare?: Decimal;
  /** As the service reports it. */
  readonly premium?: Decimal;
}

export interface Gap {
  /** Computed where it can be, else as reported; undefined where neither is known. */
  readonly percent?: Decimal;
  /** What the service reports, where it differs from the computed one by more than rounding does. */
  readonly reported?: Decimal;
}

/** In percentage points: figures rounded to four digits differ by less. */
const ROUNDING = decimal('0.1');

/** A NAV/AS of zero gives no gap: nothing can be in proportion to it. */
export function gapOf({ price, navPerShare, premium }: Prices): Gap {
  const computed = price === undefined || navPerShare === undefined ? undefined : percentChange(navPerShare, price);
  if (computed === undefined) return { percent: premium };
  const disagrees = premium !== undefined && compare(absolute(subtract(computed, premium)), ROUNDING) > 0;
  return { percent: computed, ...(disagrees ? { reported: premium } : {}) };
}

export interface DatedPrice extends Prices {
  readonly at?: Instant;
}

/** A point whose moment and gap are known. */
export interface GapPoint extends Prices {
  readonly at: Instant;
  readonly gap: Decimal;
}

export interface GapRange {
  readonly low: GapPoint;
  readonly high: GapPoint;
  readonly mean: Decimal;
  /** The last point of every day, or of every hour where the range is short; oldest first. */
  readonly ends: readonly GapPoint[];
}

/** Points with a moment and a gap, oldest first, and what they come to. */
const summed = derived((points: readonly DatedPrice[]) => {
  const known = points
    .flatMap((point): GapPoint[] => {
      const { percent } = gapOf(point);
      return point.at === undefined || percent === undefined ? [] : [{ ...point, at: point.at, gap: percent }];
    })
    .toSorted((a, b) => a.at - b.at);
  const sorted = known.toSorted((a, b) => compare(a.gap, b.gap));
  return { known, low: sorted[0], high: sorted.at(-1), mean: mean(known.map(({ gap }) => gap)) };
});

/** Sums up a chart. Undefined where no point has both a moment and a gap. */
export function gapRange(points: readonly DatedPrice[], per: 'hour' | 'day'): GapRange | undefined {
  const { known, low, high, mean: average } = summed(points);
  if (low === undefined || high === undefined || average === undefined) return undefined;
  const length = per === 'hour' ? HOUR : DAY;
  const ends = new Map(known.map((point) => [Math.floor(point.at / length), point]));
  return { low, high, mean: average, ends: [...ends.values()] };
}

/** How a gap stands among others: in how many percent of them the gap to the same side was smaller, or larger. */
export interface PremiumRank {
  readonly than: 'wider' | 'narrower';
  readonly share: Decimal;
}

/** Undefined for no gap at all, and where there is nothing to compare with or nothing that differs. */
export function standing(gap: Decimal, among: readonly GapPoint[]): PremiumRank | undefined {
  if (isZero(gap)) return undefined;
  const side = isNegative(gap) ? -1 : 1;
  const compared = among.map((other) => compare(gap, other.gap) * side);
  const share = (count: number) => divide(multiply(decimal(count), decimal('100')), decimal(among.length));
  const [wider, narrower] = [share(compared.filter((sign) => sign > 0).length), share(compared.filter((sign) => sign < 0).length)];
  if (wider === undefined || narrower === undefined || (isZero(wider) && isZero(narrower))) return undefined;
  return compare(wider, narrower) >= 0 ? { than: 'wider', share: wider } : { than: 'narrower', share: narrower };
}
