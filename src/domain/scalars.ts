/** The words for single values, in the form we keep them: exact text, milliseconds, big integers. Wire forms are read in `analytics/scalars`. */
import { Big } from 'big.js';
import { z } from 'zod';
import { instant } from '../base/clock.js';

export type { Instant } from '../base/clock.js';

/** A decimal number as exact plain text: no exponent, no rounding. Units are whatever the field says. */
export const decimalSchema = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/, 'not a decimal')
  .brand<'Decimal'>();
export type Decimal = z.infer<typeof decimalSchema>;

/** Text that arithmetic would leave as it is: most numbers come so, and need none. */
const isPlain = (text: string): text is Decimal => /^(?!-0$)-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text);

/** Brings a number in text (exponents included) to exact plain text. Throws on what is no number. */
export function decimal(value: string | number | bigint): Decimal {
  const text = String(value);
  return isPlain(text) ? text : decimalSchema.parse(new Big(text).toFixed());
}

/** Unix milliseconds, as stored. */
export const instantSchema = z.int().transform(instant);

/** A raw token amount: an integer in the token's smallest unit. Never shown; scale it first. */
export type RawAmount = bigint;

/** A raw amount as a human amount: `fromRaw(960000000000n, 6)` is `960000`. */
export const fromRaw = (raw: RawAmount, decimals: number): Decimal =>
  decimal(new Big(raw.toString()).div(new Big(10).pow(decimals)).toFixed());

/** A project's name in the service's addresses. Its alphabet is not specified; it is shown and sent as it came. */
export const slugSchema = z.string().min(1).brand<'Slug'>();
export type Slug = z.infer<typeof slugSchema>;
export const slug = (text: string): Slug => slugSchema.parse(text);

/** A UTC calendar day, `YYYY-MM-DD`. */
export const daySchema = z.iso.date().brand<'Day'>();
export type Day = z.infer<typeof daySchema>;
