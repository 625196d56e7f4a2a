/** Computes exact decimals with big.js, never with floating-point numbers. */
import { Big } from 'big.js';
import { calculated } from './calculations.js';
import { decimal, type Decimal } from './scalars.js';

const Exact = Big();
Exact.DP = 40;

export const add = (a: Decimal, b: Decimal): Decimal => calculated(decimal(new Exact(a).plus(b).toFixed()), 'add', [a, b]);
export const subtract = (a: Decimal, b: Decimal): Decimal => calculated(decimal(new Exact(a).minus(b).toFixed()), 'subtract', [a, b]);
export const multiply = (a: Decimal, b: Decimal): Decimal => calculated(decimal(new Exact(a).times(b).toFixed()), 'multiply', [a, b]);

export const divide = (a: Decimal, b: Decimal): Decimal | undefined =>
  new Exact(b).eq(0) ? undefined : calculated(decimal(new Exact(a).div(b).toFixed()), 'divide', [a, b]);

/** Rounding to floats keeps the order of two values, so only values with equal floats are compared exactly. */
export function compare(a: Decimal, b: Decimal): number {
  const [x, y] = [Number(a), Number(b)];
  return x < y ? -1 : x > y ? 1 : new Exact(a).cmp(b);
}

export const isZero = (a: Decimal): boolean => !/[1-9]/.test(a);
export const isNegative = (a: Decimal): boolean => a.startsWith('-') && !isZero(a);
export const negate = (a: Decimal): Decimal => calculated(decimal(new Exact(a).neg().toFixed()), 'negate', [a]);
export const absolute = (a: Decimal): Decimal => calculated(decimal(new Exact(a).abs().toFixed()), 'absolute', [a]);

/** Returns the lowest and the highest value; empty if there are no values. */
export function endsOf(all: readonly Decimal[]): readonly Decimal[] {
  const [first, ...others] = all.map((value) => new Exact(value));
  if (first === undefined) return [];
  let [least, greatest] = [first, first];
  for (const value of others) {
    if (value.lt(least)) least = value;
    if (value.gt(greatest)) greatest = value;
  }
  return [decimal(least.toFixed()), decimal(greatest.toFixed())];
}

const total = (all: readonly Decimal[]) => all.reduce((before, value) => before.plus(value), new Exact(0));
export const sum = (all: readonly Decimal[]): Decimal => calculated(decimal(total(all).toFixed()), 'sum', all);
export const mean = (all: readonly Decimal[]): Decimal | undefined =>
  all.length === 0 ? undefined : calculated(decimal(total(all).div(all.length).toFixed()), 'mean', all);

/** Returns undefined if `before` is zero. */
export function percentChange(before: Decimal, now: Decimal): Decimal | undefined {
  const from = new Exact(before);
  return from.eq(0)
    ? undefined
    : calculated(decimal(new Exact(now).minus(from).div(from.abs()).times(100).toFixed()), 'change', [before, now]);
}

export interface Deviation {
  readonly mean: Decimal;
  /** The sample standard deviation. */
  readonly deviation: Decimal;
}

/** Sums of values and squares. They are exact, so that values can be added and removed again. */
export interface Moments {
  readonly count: number;
  readonly sum: Decimal;
  readonly squares: Decimal;
}

const NO_MOMENTS: Moments = { count: 0, sum: decimal(0), squares: decimal(0) };

export const momentsOf = (values: readonly Decimal[]): Moments => movedMoments(NO_MOMENTS, { added: values, removed: [] });

export function movedMoments(
  { count, sum: before, squares: squared }: Moments,
  { added, removed }: { readonly added: readonly Decimal[]; readonly removed: readonly Decimal[] },
): Moments {
  let [total, squares] = [new Exact(before), new Exact(squared)];
  for (const value of added.map((one) => new Exact(one))) [total, squares] = [total.plus(value), squares.plus(value.times(value))];
  for (const value of removed.map((one) => new Exact(one))) [total, squares] = [total.minus(value), squares.minus(value.times(value))];
  return { count: count + added.length - removed.length, sum: decimal(total.toFixed()), squares: decimal(squares.toFixed()) };
}

/** Returns undefined for fewer than two values. */
export function spreadOf({ count, sum: total, squares }: Moments): Deviation | undefined {
  if (count < 2) return undefined;
  // The formula divides only once, so that equal values have a deviation of exactly zero.
  const apart = new Exact(squares).times(count).minus(new Exact(total).pow(2));
  return {
    mean: decimal(new Exact(total).div(count).toFixed()),
    deviation: decimal(
      apart
        .div(count * (count - 1))
        .sqrt()
        .toFixed(),
    ),
  };
}

/** Rounds half away from zero. */
export const roundTo = (a: Decimal, places: number): Decimal =>
  calculated(decimal(new Exact(a).round(places).toFixed()), 'round', [a, String(places)]);

/** Tells whether two values are further apart than `most`, without recording a calculation. */
export const isApart = (a: Decimal, b: Decimal, most: Decimal): boolean => new Exact(a).minus(b).abs().gt(most);

/** Tells whether two values differ by more than the fraction `part` of `of`. */
export const isApartBy = (a: Decimal, b: Decimal, { part, of = b }: { readonly part: Decimal; readonly of?: Decimal }): boolean =>
  new Exact(a).minus(b).abs().gt(new Exact(of).abs().times(part));

/** Rounds like `roundTo`, but keeps two significant digits of a value that would become zero. */
export function roundKept(a: Decimal, places: number): Decimal {
  const rounded = roundTo(a, places);
  return isZero(rounded) && !isZero(a) ? decimal(new Exact(a).prec(2).toFixed()) : rounded;
}
