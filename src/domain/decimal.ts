/** Exact decimals with big.js, never floating-point numbers. */
import { Big } from 'big.js';
import { decimal, type Decimal } from './scalars.js';

const Exact = Big();
Exact.DP = 40;

export const add = (a: Decimal, b: Decimal): Decimal => decimal(new Exact(a).plus(b).toFixed());
export const subtract = (a: Decimal, b: Decimal): Decimal => decimal(new Exact(a).minus(b).toFixed());
export const multiply = (a: Decimal, b: Decimal): Decimal => decimal(new Exact(a).times(b).toFixed());

export const divide = (a: Decimal, b: Decimal): Decimal | undefined =>
  new Exact(b).eq(0) ? undefined : decimal(new Exact(a).div(b).toFixed());

export const compare = (a: Decimal, b: Decimal): number => new Exact(a).cmp(b);

export const isZero = (a: Decimal): boolean => !/[1-9]/.test(a);
export const isNegative = (a: Decimal): boolean => a.startsWith('-') && !isZero(a);
export const negate = (a: Decimal): Decimal => decimal(new Exact(a).neg().toFixed());
export const absolute = (a: Decimal): Decimal => decimal(new Exact(a).abs().toFixed());

/** Empty for no values. */
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

export const sum = (all: readonly Decimal[]): Decimal => decimal(all.reduce((total, value) => total.plus(value), new Exact(0)).toFixed());
export const mean = (all: readonly Decimal[]): Decimal | undefined => divide(sum(all), decimal(all.length));

/** Undefined where `before` is zero. */
export function percentChange(before: Decimal, now: Decimal): Decimal | undefined {
  const from = new Exact(before);
  return from.eq(0) ? undefined : decimal(new Exact(now).minus(from).div(from.abs()).times(100).toFixed());
}

export interface Deviation {
  readonly mean: Decimal;
  /** Sample standard deviation. */
  readonly deviation: Decimal;
}

/** Undefined for fewer than two values. */
export function spreadOf(all: readonly Decimal[]): Deviation | undefined {
  if (all.length < 2) return undefined;
  const values = all.map((value) => new Exact(value));
  const average = values.reduce((total, value) => total.plus(value), new Exact(0)).div(values.length);
  const squares = values.reduce((total, value) => total.plus(value.minus(average).pow(2)), new Exact(0));
  return {
    mean: decimal(average.toFixed()),
    deviation: decimal(
      squares
        .div(values.length - 1)
        .sqrt()
        .toFixed(),
    ),
  };
}

/** Half away from zero. */
export const roundTo = (a: Decimal, places: number): Decimal => decimal(new Exact(a).round(places).toFixed());

/** With two significant digits where `roundTo` would give zero. */
export function roundKept(a: Decimal, places: number): Decimal {
  const rounded = roundTo(a, places);
  return isZero(rounded) && !isZero(a) ? decimal(new Exact(a).prec(2).toFixed()) : rounded;
}
