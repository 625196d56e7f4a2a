/** Defines exact decimals, instants, raw amounts, slugs and days as stored; `analytics/wire-values` reads their wire formats. */
import { Big } from 'big.js';
import { z } from 'zod';
import { instant } from '../base/clock.js';
import { calculated } from './calculations.js';

export type { Instant } from '../base/clock.js';

/** Plain text without an exponent. The unit depends on the field. */
export const decimalSchema = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/, 'not a decimal')
  .brand<'Decimal'>();
export type Decimal = z.infer<typeof decimalSchema>;

/** Tells whether a text is already in canonical form. */
const isPlain = (text: string): text is Decimal => /^(?!-0$)-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text);

/** Makes a canonical decimal. Throws for anything but a number. */
export function decimal(value: string | number | bigint): Decimal {
  const text = String(value);
  return isPlain(text) ? text : decimalSchema.parse(new Big(text).toFixed());
}

/** Unix milliseconds. */
export const instantSchema = z.int().transform(instant);

/** The value is in the token's smallest unit. */
export type RawAmount = bigint;

/** Converts a raw amount to tokens: `fromRaw(960000000000n, 6)` is `960000`. */
export function fromRaw(raw: RawAmount, decimals: number): Decimal {
  const unit = new Big(10).pow(decimals);
  return calculated(decimal(new Big(raw.toString()).div(unit).toFixed()), 'divide', [raw.toString(), unit.toFixed()]);
}

/** Any text, because the interface does not specify an alphabet. */
export const slugSchema = z.string().min(1).brand<'Slug'>();
export type Slug = z.infer<typeof slugSchema>;
export const slug = (text: string): Slug => slugSchema.parse(text);

/** `YYYY-MM-DD`, in UTC. */
export const daySchema = z.iso.date().brand<'Day'>();
export type Day = z.infer<typeof daySchema>;
