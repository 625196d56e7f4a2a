/**
 * Computes the gap between price and NAV/share in percent of NAV/share (positive is a premium), and splits its changes into causes.
 */
import { DAY, HOUR } from '../base/clock.js';
import { memoize } from '../base/bounded-cache.js';
import { calculated } from './calculations.js';
import { add, compare, divide, isApart, isZero, mean, multiply, percentChange, roundTo, subtract, sum } from './decimal.js';
import { decimal, type Decimal, type Instant } from './scalars.js';
import { sinceWords, wasWords, type CrossingWords } from './crossing-words.js';
import { points } from './format.js';

export interface Prices {
  readonly price?: Decimal;
  readonly navPerShare?: Decimal;
  readonly premium?: Decimal;
}

export interface Gap {
  readonly percent?: Decimal;
  /** The service's own value, if it differs by more than rounding. */
  readonly reported?: Decimal;
}

/** The value is in percentage points. */
const ROUNDING = decimal('0.1');

/** Computes the gap, or takes the service's premium if that is impossible, as with a NAV/share of zero. */
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
  /** The last point of every day or hour, oldest first. */
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

/** Returns undefined if no point has both a moment and a gap. */
export function gapRange(points: readonly DatedPrice[], per: 'hour' | 'day'): GapRange | undefined {
  const { known, gaps, low, high, mean: average } = summed(points);
  if (low === undefined || high === undefined || average === undefined) return undefined;
  const length = per === 'hour' ? HOUR : DAY;
  const ends = new Map(known.map((point) => [Math.floor(point.at / length), point]));
  calculated(average, 'mean', gaps);
  for (const point of [low, high]) recorded(point);
  return { low, high, mean: average, ends: [...ends.values()] };
}

/** Records the calculation of a cached gap for the current question. */
export function recorded({ gap, price, navPerShare }: GapPoint): Decimal {
  return price === undefined || navPerShare === undefined || isZero(navPerShare) ? gap : calculated(gap, 'change', [navPerShare, price]);
}

/** The percentage of gaps that are lower or higher. */
export interface PremiumRank {
  readonly than: 'higher' | 'lower';
  readonly share: Decimal;
}

/** Returns undefined if all gaps are equal. */
export function premiumRank(gap: Decimal, among: readonly GapPoint[]): PremiumRank | undefined {
  const compared = among.map((other) => compare(gap, other.gap));
  const share = (count: number) => divide(multiply(decimal(count), decimal('100')), decimal(among.length));
  const [higher, lower] = [share(compared.filter((sign) => sign > 0).length), share(compared.filter((sign) => sign < 0).length)];
  if (higher === undefined || lower === undefined || (isZero(higher) && isZero(lower))) return undefined;
  return compare(higher, lower) >= 0 ? { than: 'higher', share: higher } : { than: 'lower', share: lower };
}

/** The values in USD from which a premium is computed. */
export interface Backing {
  readonly price?: Decimal | undefined;
  readonly navPerShare?: Decimal | undefined;
  readonly nav?: Decimal | undefined;
}

interface PremiumChangePart {
  readonly of: 'price' | 'treasury' | 'supply' | 'NAV/share';
  /** Rounded to one decimal. */
  readonly points: Decimal;
}

interface PremiumChange {
  /** Each part is rounded by itself. */
  readonly parts: readonly PremiumChangePart[];
  /** Rounded to one decimal. */
  readonly total: Decimal;
  /** Whether the rounded parts add up to the rounded total and to the difference of the rounded premiums. */
  readonly addsUp: boolean;
}

const NONE = decimal('0');
const ONE = decimal('1');

/**
 * Splits a change of the premium into price, treasury and supply, in percentage points (Shapley values). Treasury and supply are one part
 * unless both NAVs are known. Returns undefined for an unknown or non-positive price or NAV/share.
 */
export function premiumChange(before: Backing, now: Backing): PremiumChange | undefined {
  const [was, is] = [whole(before), whole(now)];
  if (was === undefined || is === undefined) return undefined;
  const [gapWas, gapIs] = [gapOf(was).percent, gapOf(is).percent];
  const price = divide(is.price, was.price);
  const share = divide(was.navPerShare, is.navPerShare);
  const level = divide(multiply(was.price, decimal('100')), was.navPerShare);
  if (gapWas === undefined || gapIs === undefined || price === undefined || share === undefined || level === undefined) return undefined;
  const navs = above(was.nav) && above(is.nav) ? divide(was.nav, is.nav) : undefined;
  const supply = navs && divide(share, navs);
  const parts =
    navs === undefined || supply === undefined
      ? [
          { of: 'price', points: multiply(level, partOfTwo(price, share)) } as const,
          { of: 'NAV/share', points: multiply(level, partOfTwo(share, price)) } as const,
        ]
      : [
          { of: 'price', points: multiply(level, partOfThree(price, navs, supply)) } as const,
          { of: 'treasury', points: multiply(level, partOfThree(navs, price, supply)) } as const,
          { of: 'supply', points: multiply(level, partOfThree(supply, price, navs)) } as const,
        ];
  const shown = parts.map((part) => ({ ...part, points: roundTo(part.points, 1) }));
  const total = roundTo(subtract(gapIs, gapWas), 1);
  const added = sum(shown.map(({ points }) => points));
  const addsUp = [total, subtract(roundTo(gapIs, 1), roundTo(gapWas, 1))].every((change) => compare(change, added) === 0);
  return { parts: shown, total, addsUp };
}

const above = (value: Decimal | undefined): value is Decimal => value !== undefined && compare(value, NONE) > 0;

function whole({ price, navPerShare, nav }: Backing) {
  return above(price) && above(navPerShare) ? { price, navPerShare, nav } : undefined;
}

/** Returns the part of one factor in the change of a product. */
function partOfTwo(factor: Decimal, other: Decimal): Decimal {
  return multiply(multiply(subtract(factor, ONE), add(ONE, other)), decimal('0.5'));
}

function partOfThree(factor: Decimal, ...[a, b]: readonly [Decimal, Decimal]): Decimal {
  const sixths = sum([decimal('2'), multiply(decimal('2'), multiply(a, b)), a, b]);
  return divide(multiply(subtract(factor, ONE), sixths), decimal('6')) ?? NONE;
}

interface Measured extends Backing {
  readonly gap: Decimal;
}

interface ChangeContext {
  readonly at: Instant;
  readonly words: CrossingWords | undefined;
  /** The words of the alerted threshold or move. */
  readonly since: CrossingWords | undefined;
}

/**
 * Returns "was 9.1% below yesterday" and "price −6.0 pts, treasury −2.1 pts, supply 0", with "about −8.1 pts" where rounded parts do not
 * add up.
 */
export function premiumChangeWords(
  { before, ...now }: Measured & { readonly before?: (Measured & { readonly at: Instant }) | undefined },
  { at, words, since }: ChangeContext,
): readonly string[] {
  const dayAgo = before && wasWords('premium', { at: before.at, value: before.gap }, { at, value: now.gap });
  const moved = before && premiumChange(before, now);
  if (before === undefined || moved === undefined) return [words?.was ?? dayAgo].filter((part) => part !== undefined);
  const parts = moved.parts.map((part) => `${part.of} ${isZero(part.points) ? '0' : points(part.points)}`).join(', ');
  // Rounded parts may miss the total by a tenth or two.
  const total = moved.addsUp ? [] : [`about ${points(moved.total)}`];
  const isDayAgo = since === undefined || since.from.at === before.at;
  const lead = [...(isDayAgo ? [] : [sinceWords(before.at, at)]), ...total].join(', ');
  return [isDayAgo ? (dayAgo ?? '') : since.was, lead === '' ? parts : `${lead}: ${parts}`];
}
