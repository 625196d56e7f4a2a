/** Splits a change of the premium into price, treasury and supply, in percentage points (Shapley values). */
import { add, compare, divide, isZero, multiply, roundTo, subtract, sum } from './decimal.js';
import { gapOf } from './premium.js';
import { decimal, type Decimal, type Instant } from './scalars.js';
import { sinceWords, wasWords, type CrossingWords } from './crossing-words.js';
import { points } from './format.js';

/** USD. */
export interface Backing {
  readonly price?: Decimal | undefined;
  readonly navPerShare?: Decimal | undefined;
  readonly nav?: Decimal | undefined;
}

export interface PremiumChangePart {
  readonly of: 'price' | 'treasury' | 'supply' | 'NAV/share';
  /** One decimal. */
  readonly points: Decimal;
}

export interface PremiumChange {
  /** Each rounded by itself. */
  readonly parts: readonly PremiumChangePart[];
  /** One decimal. */
  readonly total: Decimal;
  /** The rounded parts add up to the rounded total, and to the difference of the rounded premiums. */
  readonly addsUp: boolean;
}

const NONE = decimal('0');
const ONE = decimal('1');

/** Treasury and supply join unless both NAVs are known. Undefined for unknown or non-positive price or NAV/share. */
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

/** One factor's part in their product. */
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
  /** Of a threshold or move. */
  readonly since: CrossingWords | undefined;
}

/** "was 9.1% below yesterday", "price −6.0 pts, treasury −2.1 pts, supply 0"; with "about −8.1 pts" where rounded parts do not add up. */
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
