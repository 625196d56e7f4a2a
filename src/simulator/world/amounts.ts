/** Exact amounts: raw integers with six decimals inside the simulator, text or JSON numbers in responses. */
import { Big } from 'big.js';
import { LosslessNumber } from 'lossless-json';

const Exact = Big();
Exact.DP = 30;

export type Exactly = Big;
export const exactly = (value: string | number | bigint): Exactly => new Exact(String(value));

const DECIMALS = 6;
const UNIT = 1_000_000n;
const UNIT_NUMBER = 1_000_000;
const [MINUS, POINT, ZERO] = [45, 46, 48];

export const rawOf = (wholeTokens: number): bigint => BigInt(Math.round(wholeTokens)) * UNIT;

export const part = (raw: bigint, share: number): bigint => (raw * BigInt(Math.round(share * 1e9))) / 1_000_000_000n;

/** Writes an amount like `12899934.25`. */
export function human(raw: bigint): string {
  const size = raw < 0n ? -raw : raw;
  const fraction = (size % UNIT).toString().padStart(DECIMALS, '0').replace(/0+$/u, '');
  return `${raw < 0n ? '-' : ''}${size / UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Parses an amount. Truncates after six decimals. */
export const toRaw = (text: string): bigint =>
  BigInt(millionths(text) ?? new Exact(text).times(new Exact(10).pow(DECIMALS)).round(0, Big.roundDown).toFixed());

export const rounded = (value: Exactly, places: number): string => value.round(places).toFixed();

const SCALES = [1, 10, 100, 1_000, 10_000, 100_000, UNIT_NUMBER, 10_000_000, 100_000_000] as const;
/** Below this value the error of a double is far smaller than `UNSURE`. */
const SURE_BELOW = 1e10;
const UNSURE = 1e-3;

/** Rounds a double. Computes exactly only near a rounding boundary, because that is slow. */
export function roundedNumber(value: number, places: number, exact: () => Exactly = () => exactly(value)): string {
  const scaled = value * (SCALES[places] ?? Number.NaN);
  const steps = Math.round(scaled);
  const isSure = Math.abs(scaled) < SURE_BELOW && Math.abs(Math.abs(scaled - steps) - 0.5) > UNSURE;
  return isSure ? stepsText(steps, places) : rounded(exact(), places);
}

function stepsText(steps: number, places: number): string {
  if (steps === 0) return '0';
  if (places === 0) return String(steps);
  const digits = String(Math.abs(steps)).padStart(places + 1, '0');
  let end = digits.length;
  const point = end - places;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return `${steps < 0 ? '-' : ''}${digits.slice(0, point)}${end > point ? `.${digits.slice(point, end)}` : ''}`;
}

export const hundredths = (count: number): string => stepsText(count, 2);

/** Returns undefined if a double would not be exact. */
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

/** Divides, rounding half away from zero. */
function quotient(dividend: bigint, divisor: bigint, places: number): string {
  const negative = dividend < 0n !== divisor < 0n;
  const size = (dividend < 0n ? -dividend : dividend) * 10n ** BigInt(places);
  const by = divisor < 0n ? -divisor : divisor;
  const steps = (2n * size + by) / (2n * by);
  const text = steps.toString().padStart(places + 1, '0');
  const fraction = text.slice(text.length - places).replace(/0+$/u, '');
  return `${negative && steps !== 0n ? '-' : ''}${text.slice(0, text.length - places)}${fraction === '' ? '' : `.${fraction}`}`;
}

export function product(a: string, b: string, places: number): string {
  const [left, right] = [millionths(a), millionths(b)];
  if (left === undefined || right === undefined) return rounded(exactly(a).times(b), places);
  return quotient(BigInt(left) * BigInt(right), UNIT * UNIT, places);
}

export function ratio(a: string, b: string, places: number): string {
  const [left, right] = [millionths(a), millionths(b)];
  if (left === undefined || right === undefined) return rounded(exactly(a).div(b), places);
  return quotient(BigInt(left), BigInt(right), places);
}

const SURE_DIVISOR = 10n ** 18n;

export function percentOfRaw(before: bigint, now: bigint, places: number): string {
  if (before === 0n) return '0';
  const change = now - before;
  if (before > SURE_DIVISOR || before < -SURE_DIVISOR) return rounded(exactly(change).div(exactly(before)).times(100), places);
  return quotient(change * 100n, before, places);
}

export function shareOf(part: string, whole: string, places: number): string {
  const [some, all] = [millionths(part), millionths(whole)];
  if (some !== undefined && all !== undefined) return all === 0 ? '0' : quotient(BigInt(some) * 100n, BigInt(all), places);
  const of = exactly(whole);
  return of.eq(0) ? '0' : rounded(exactly(part).div(of).times(100), places);
}

export function percentOf(before: string, now: string, places: number): string {
  const [from, to] = [millionths(before), millionths(now)];
  if (from !== undefined && to !== undefined) return percentOfRaw(BigInt(from), BigInt(to), places);
  const base = exactly(before);
  return base.eq(0) ? '0' : rounded(exactly(now).minus(base).div(base).times(100), places);
}

export function compareText(a: string, b: string): number {
  const [left, right] = [millionths(a), millionths(b)];
  return left === undefined || right === undefined ? exactly(a).cmp(b) : left - right;
}

export const jsonNumber = (text: string): LosslessNumber => new LosslessNumber(text);

export function sumOf(all: readonly string[]): string {
  let total = 0;
  for (const text of all) {
    total += millionths(text) ?? Number.NaN;
    if (!Number.isSafeInteger(total)) return all.reduce((sum, one) => sum.plus(one), exactly(0)).toFixed();
  }
  return stepsText(total, DECIMALS);
}

/** Returns the value in USD with cents. */
export function valueOf(raw: bigint, price: string): string {
  const cost = millionths(price);
  return cost === undefined ? rounded(exactly(human(raw)).times(price), 2) : quotient(raw * BigInt(cost), UNIT * UNIT, 2);
}
