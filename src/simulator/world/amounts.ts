/** Exact amounts of the simulated world: raw integers with six decimals inside, decimal text or JSON numbers on the wire. */
import { Big } from 'big.js';
import { LosslessNumber } from 'lossless-json';

const Exact = Big();
Exact.DP = 30;

export type Exactly = Big;
export const exactly = (value: string | number | bigint): Exactly => new Exact(String(value));

const DECIMALS = 6;
const UNIT = 1_000_000n;

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
export const toRaw = (text: string): bigint => BigInt(new Exact(text).times(new Exact(10).pow(DECIMALS)).round(0, Big.roundDown).toFixed());

/** Rounded text with this many decimals at most. */
export const rounded = (value: Exactly, places: number): string => value.round(places).toFixed();

/** Text as a JSON number that keeps every digit. */
export const jsonNumber = (text: string): LosslessNumber => new LosslessNumber(text);

/** `now` against `before`, in percent. */
export const percent = (before: Exactly, now: Exactly): Exactly => (before.eq(0) ? exactly(0) : now.minus(before).div(before).times(100));

/** The sum of decimal texts. */
export const sumOf = (all: readonly string[]): string => all.reduce((sum, one) => sum.plus(one), exactly(0)).toFixed();

/** So many raw tokens at a price, in dollars and cents. */
export const valueOf = (raw: bigint, price: string): string => rounded(exactly(human(raw)).times(price), 2);
