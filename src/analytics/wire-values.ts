/** Schemas of the service's values: numbers as text or JSON, times as ISO text or Unix seconds. */
import { z } from 'zod';
import { DateTime } from 'luxon';
import { instant } from '../base/clock.js';
import { oneLine } from '../base/one-line.js';
import { isZero } from '../domain/decimal.js';
import { decimal as toDecimal, type Decimal, type Instant } from '../domain/scalars.js';

/** Limits digits and exponent, because `1e999999999` would fill the memory. */
const NUMBER = /^\s*[-+]?\d{1,100}(\.\d{1,100})?([eE][-+]?\d{1,2})?\s*$/;
const INTEGER = /^\s*-?\d{1,100}(\.0+)?\s*$/;

export const decimal = z
  .union([z.string().regex(NUMBER, 'not a number'), z.number()])
  .transform((value): Decimal => toDecimal(String(value).trim().replace(/^\+/, '')));

/** The value is in USD. The service sends 0 for a token that is not traded, so 0 is unknown. */
export const marketPrice = decimal.transform((value, context): Decimal => {
  if (!isZero(value)) return value;
  context.addIssue('no price');
  return z.NEVER;
});

/** A value derived from a price. Without the price, a 0 is unknown too. */
export const priced = (price: Decimal | undefined, value: Decimal | undefined): Decimal | undefined =>
  price === undefined && value !== undefined && isZero(value) ? undefined : value;

const integerText = z
  .string()
  .regex(INTEGER, 'not an integer')
  .transform((value) => value.trim().replace(/\.0+$/, ''));

const conversions = new WeakMap<object, Readonly<Record<string, string>>>();

/** Records how fields of a parsed object were converted: `150 bps / 100`. */
export function withConversions<T extends object>(parsed: T, of: { readonly [Field in keyof T]?: string | undefined }): T {
  const known = Object.entries<string | undefined>(of).flatMap(([field, text]) => (text === undefined ? [] : [[field, text] as const]));
  if (known.length > 0) conversions.set(parsed, Object.fromEntries(known));
  return parsed;
}

/** Returns the recorded conversion; undefined for a value that was not converted. */
export const conversionOf = (parsed: object, field: string): string | undefined => conversions.get(parsed)?.[field];

/** The value is in the token's smallest unit. */
export const raw = z.union([integerText, z.int()]).transform((value): bigint => BigInt(value));

/** A whole number within JavaScript's safe range. */
export const count = z.union([integerText, z.int()]).transform(Number).pipe(z.int());

const MAX_WORD = 512;
/** The value is in characters. */
const MAX_TEXT = 20_000;

/** An id, as text because some have 19 digits. */
export const ident = z.union([z.string().max(MAX_WORD).trim().min(1), z.int()]).transform(String);

export const text = z.string().max(MAX_WORD);

/** One visible line, so that a title cannot imitate a message. */
export const words = z
  .string()
  .max(MAX_TEXT)
  .transform((value) => oneLine(value).trim())
  .pipe(z.string().min(1));

const MAX_LINK = 2_048;

/** An http or https URL; other schemes are refused. */
export const link = z
  .string()
  .max(MAX_LINK)
  .pipe(z.url({ protocol: /^https?$/ }));

/** A boolean may also come as text, or as 0 and 1. */
export const flag = z.union([z.boolean(), z.stringbool(), z.literal([0, 1]).transform((bit) => bit === 1)]);

/** Smaller Unix numbers are seconds (to year 5138), larger ones milliseconds. */
const SECONDS_BELOW = 1e11;

/** The latest time of a JavaScript Date. */
const LAST_MOMENT = 8.64e15;

/** The value is in characters. */
const MAX_MOMENT = 64;

/** Requires a date, because a time of day alone would depend on the machine's clock. */
const DATED = /^(?:[+-]\d{6}|\d{4})(?:-?(?:\d\d(?:-?\d\d)?|\d{3}|W\d\d(?:-?\d)?))?(?:[Tt]|$)/;
const USUAL =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/;

function fromIso(text: string): number {
  if (USUAL.test(text)) return Date.parse(text);
  return DATED.test(text) ? DateTime.fromISO(text, { zone: 'utc' }).toMillis() : Number.NaN;
}

/** ISO text (UTC without a zone), or Unix seconds or milliseconds. 0 and times before 1970 count as unknown. */
export const moment = z.union([z.string().max(MAX_MOMENT), z.number()]).transform((value, context): Instant => {
  const at = Math.round(
    typeof value === 'number' || NUMBER.test(value) ? fromUnix(Number(value)) : fromIso(value.trim().replace(' ', 'T')),
  );
  if (at > 0 && at <= LAST_MOMENT) return instant(at);
  context.addIssue('not a time');
  return z.NEVER;
});

const fromUnix = (value: number): number => (value < SECONDS_BELOW ? value * 1_000 : value);

/** Seconds, converted to milliseconds. */
export const seconds = decimal.transform((value) => Math.round(Number(value) * 1_000)).pipe(z.int().min(0));

export const UNREADABLE: unique symbol = Symbol('unreadable');

/** Parses without building an error, which would be slow. */
export function attempt<T extends z.ZodType>(schema: T, value: unknown): z.output<T> | typeof UNREADABLE {
  const read = z.safeParse(schema, value);
  return read.success ? read.data : UNREADABLE;
}

/** The schemas inside other schemas, for the doctor. */
export const inside = z.registry<{ readonly schema: unknown }>();

/** Turns null, absent, empty and unreadable values into undefined. Do not use it for ids. */
export const maybe = <T extends z.ZodType>(schema: T) =>
  z
    .unknown()
    .transform((value): z.output<T> | undefined => {
      const read = value === null || value === undefined ? UNREADABLE : attempt(schema, value);
      return read === UNREADABLE ? undefined : read;
    })
    // Without this an absent field would fail its row.
    .optional()
    .register(inside, { schema });

export const readable = <T extends z.ZodType>(items: readonly unknown[], schema: T): z.output<T>[] =>
  items.flatMap((item): z.output<T>[] => {
    const read = attempt(schema, item);
    return read === UNREADABLE ? [] : [read];
  });

/** Returns the readable items; undefined if there is no list. */
export const some = <T extends z.ZodType>(schema: T) =>
  maybe(
    z
      .array(z.unknown())
      .transform((all): readonly z.output<T>[] => readable(all, schema))
      .register(inside, { schema: z.array(schema) }),
  );

const digits = z.string().regex(/^\d{1,18}$/u, 'a whole number');

/** An id in a path (§4.1), as text because some are long. */
export const numericId = z.union([z.int().min(0).transform(String), z.string().trim().pipe(digits)]);

/** A movement's id. People see and type it as `MOV-123` (§4.10). */
export const movementId = z.union([
  z.int().min(0).transform(String),
  z
    .string()
    .trim()
    .transform((text) => text.replace(/^mov-/iu, ''))
    .pipe(digits),
]);
