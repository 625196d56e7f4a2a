/** Exact amounts of the simulated world: raw integers with six decimals inside, decimal text or JSON numbers on the wire. */
import { Big } from 'big.js';
import { LosslessNumber } from 'lossless-json';

const Exact = Big();
Exact.DP = 30;

export type Exactly = Big;
export const exactly = (value: string | number | bigint): Exactly => new Exact(String(value));

const DECIMALS = 6;
const UNIT = 1_000_000n;
const UNIT_NUMBER = 1_000_000;
/** Character codes. */
const [MINUS, POINT, ZERO] = [45, 46, 48];

export const rawOf = (wholeTokens: number): bigint => BigInt(Math.round(wholeTokens)) * UNIT;

/** A part of a raw amount, where `share` is a random number, not money. */
export const part = (raw: bigint, share: number): bigint => (raw * BigInt(Math.round(share * 1e9))) / 1_000_000_000n;

/** A raw amount for people: `12899934.25`. */
export function human(raw: bigint): string {
  const size = raw < 0n ? -raw : raw;
  const fraction = (size % UNIT).toString().padStart(DECIMALS, '0').replace(/0+$/u, '');
  return `${raw < 0n ? '-' : ''}${size / UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Human text as a raw amount; what is finer than the token allows is cut off. */
export const toRaw = (text: string): bigint =>
  BigInt(millionths(text) ?? new Exact(text).times(new Exact(10).pow(DECIMALS)).round(0, Big.roundDown).toFixed());

/** Rounded text with this many decimals at most. */
export const rounded = (value: Exactly, places: number): string => value.round(places).toFixed();

const SCALES = [1, 10, 100, 1_000, 10_000, 100_000, UNIT_NUMBER, 10_000_000, 100_000_000] as const;
/** Below this a scaled double is off by far less than `UNSURE`, also after some twenty operations. */
const SURE_BELOW = 1e10;
const UNSURE = 1e-3;

/** `rounded(exact(), places)`, which is only worked out where the double that stands for it does not say which way it goes. */
export function roundedNumber(value: number, places: number, exact: () => Exactly = () => exactly(value)): string {
  const scaled = value * (SCALES[places] ?? Number.NaN);
  const steps = Math.round(scaled);
  const isSure = Math.abs(scaled) < SURE_BELOW && Math.abs(Math.abs(scaled - steps) - 0.5) > UNSURE;
  return isSure ? stepsText(steps, places) : rounded(exact(), places);
}

/** A whole number of steps of `10 ** -places`, as plain text. */
function stepsText(steps: number, places: number): string {
  if (steps === 0) return '0';
  if (places === 0) return String(steps);
  const digits = String(Math.abs(steps)).padStart(places + 1, '0');
  let end = digits.length;
  const point = end - places;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return `${steps < 0 ? '-' : ''}${digits.slice(0, point)}${end > point ? `.${digits.slice(point, end)}` : ''}`;
}

/** So many hundredths as text: cents as dollars, basis points as percent. */
export const hundredths = (count: number): string => stepsText(count, 2);

/** Decimal text of at most six places as a whole number of millionths; undefined where a double cannot hold it exactly. */
function millionths(text: string): number | undefined {
  const negative = text.charCodeAt(0) === MINUS;
  let [total, places] = [0, -1];
  for (let index = negative ? 1 : 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === POINT && places < 0) places = 0;
    else if (code < ZERO || code > ZERO + 9) return undefined;
    else {
      total = total * 10 + (code - ZERO);
      if (places >= 0) places += 1;
    }
  }
  const scale = SCALES[DECIMALS - Math.max(0, places)];
  const exact = total * (scale ?? Number.NaN);
  return exact <= Number.MAX_SAFE_INTEGER ? (negative && exact !== 0 ? -exact : exact) : undefined;
}

/** `dividend / divisor`, rounded to so many decimals; a half goes away from zero, as in `rounded`. */
function quotient(dividend: bigint, divisor: bigint, places: number): string {
  const negative = dividend < 0n !== divisor < 0n;
  const size = (dividend < 0n ? -dividend : dividend) * 10n ** BigInt(places);
  const by = divisor < 0n ? -divisor : divisor;
  const steps = (2n * size + by) / (2n * by);
  const text = steps.toString().padStart(places + 1, '0');
  const fraction = text.slice(text.length - places).replace(/0+$/u, '');
  return `${negative && steps !== 0n ? '-' : ''}${text.slice(0, text.length - places)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `a * b` of decimal texts, rounded. */
export function product(a: string, b: string, places: number): string {
  const [left, right] = [millionths(a), millionths(b)];
  if (left === undefined || right === undefined) return rounded(exactly(a).times(b), places);
  return quotient(BigInt(left) * BigInt(right), UNIT * UNIT, places);
}

/** `a / b` of decimal texts, rounded. */
export function ratio(a: string, b: string, places: number): string {
  const [left, right] = [millionths(a), millionths(b)];
  if (left === undefined || right === undefined) return rounded(exactly(a).div(b), places);
  return quotient(BigInt(left), BigInt(right), places);
}

/** Up to here a quotient of thirty decimals cannot round otherwise than the exact one. */
const SURE_DIVISOR = 10n ** 18n;

/** `now` against `before`, both raw, in percent, rounded; 0 where there was nothing before. */
export function percentOfRaw(before: bigint, now: bigint, places: number): string {
  if (before === 0n) return '0';
  const change = now - before;
  if (before > SURE_DIVISOR || before < -SURE_DIVISOR) return rounded(exactly(change).div(exactly(before)).times(100), places);
  return quotient(change * 100n, before, places);
}

/** `part` of `whole`, decimal texts, in percent, rounded; 0 of nothing. */
export function shareOf(part: string, whole: string, places: number): string {
  const [some, all] = [millionths(part), millionths(whole)];
  if (some !== undefined && all !== undefined) return all === 0 ? '0' : quotient(BigInt(some) * 100n, BigInt(all), places);
  const of = exactly(whole);
  return of.eq(0) ? '0' : rounded(exactly(part).div(of).times(100), places);
}

/** `now` against `before`, decimal texts, in percent, rounded; 0 where there was nothing before. */
export function percentOf(before: string, now: string, places: number): string {
  const [from, to] = [millionths(before), millionths(now)];
  if (from !== undefined && to !== undefined) return percentOfRaw(BigInt(from), BigInt(to), places);
  const base = exactly(before);
  return base.eq(0) ? '0' : rounded(exactly(now).minus(base).div(base).times(100), places);
}

/** Negative, zero or positive, as sorting wants decimal texts. */
export function compareText(a: string, b: string): number {
  const [left, right] = [millionths(a), millionths(b)];
  return left === undefined || right === undefined ? exactly(a).cmp(b) : left - right;
}

/** Text as a JSON number that keeps every digit. */
export const jsonNumber = (text: string): LosslessNumber => new LosslessNumber(text);

/** The sum of decimal texts. */
export function sumOf(all: readonly string[]): string {
  let total = 0;
  for (const text of all) {
    total += millionths(text) ?? Number.NaN;
    if (!Number.isSafeInteger(total)) return all.reduce((sum, one) => sum.plus(one), exactly(0)).toFixed();
  }
  return stepsText(total, DECIMALS);
}

/** So many raw tokens at a price, in dollars and cents. */
export function valueOf(raw: bigint, price: string): string {
  const cost = millionths(price);
  return cost === undefined ? rounded(exactly(human(raw)).times(price), 2) : quotient(raw * BigInt(cost), UNIT * UNIT, 2);
}
