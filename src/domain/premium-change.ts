/** Splits a change of the premium into price, treasury and supply, in percentage points (Shapley values). */
import { add, compare, divide, isZero, multiply, negate, roundTo, subtract, sum } from './decimal.js';
import { gapOf } from './premium.js';
import { decimal, type Decimal } from './scalars.js';

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

const NONE = decimal('0');
const ONE = decimal('1');
const TENTH = decimal('0.1');

/** They sum to the shown change. Treasury and supply join unless both NAVs are known. Undefined for unknown or non-positive price or NAV/share. */
export function premiumChange(before: Backing, now: Backing): readonly PremiumChangePart[] | undefined {
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
  return shownAs(subtract(roundTo(gapIs, 1), roundTo(gapWas, 1)), parts);
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

/** Distributes the rounding remainder. */
function shownAs(change: Decimal, parts: readonly PremiumChangePart[]): readonly PremiumChangePart[] {
  const shown = parts.map((part) => ({ ...part, exact: part.points, points: roundTo(part.points, 1) }));
  const some = shown.filter(({ points }) => !isZero(points));
  const able = some.length > 0 ? some : shown;
  for (;;) {
    const left = subtract(change, sum(shown.map(({ points }) => points)));
    if (isZero(left)) return shown.map(({ of, points }) => ({ of, points }));
    const step = compare(left, NONE) > 0 ? TENTH : negate(TENTH);
    const missing = ({ exact, points }: (typeof shown)[number]): Decimal => multiply(subtract(exact, points), step);
    const [first] = able.toSorted((a, b) => compare(missing(b), missing(a)));
    if (first === undefined) return [];
    first.points = add(first.points, step);
  }
}
