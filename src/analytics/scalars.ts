/**
 * Values as the service sends them. Numbers come as text or as JSON numbers, times as ISO text, Unix seconds or numeric text;
 * all of that ends here. Numbers too long for a JavaScript number arrive as text already (see `reading.ts`), so nothing is rounded.
 */
import { z } from 'zod';
import { DateTime } from 'luxon';
import { instant } from '../base/clock.js';
import { oneLine } from '../base/one-line.js';
import { isZero } from '../domain/decimal.js';
import { decimal as toDecimal, type Decimal, type Instant } from '../domain/scalars.js';

/** Two digits of exponent and a hundred of mantissa are more than any amount has: `1e999999999` would fill the memory, and `1e400` is infinite to JavaScript. */
const NUMBER = /^\s*[-+]?\d{1,100}(\.\d{1,100})?([eE][-+]?\d{1,2})?\s*$/;
const INTEGER = /^\s*-?\d{1,100}(\.0+)?\s*$/;

/** A decimal, text or number, exponents included. Units are whatever the field says. */
export const decimal = z
  .union([z.string().regex(NUMBER, 'not a number'), z.number()])
  .transform((value): Decimal => toDecimal(String(value).trim().replace(/^\+/, '')));

/** A market price in USD. What does not trade has none, and the service calls that 0. */
export const marketPrice = decimal.transform((value, context): Decimal => {
  if (!isZero(value)) return value;
  context.addIssue('no price');
  return z.NEVER;
});

/** What follows from a price: without one, a 0 is unknown too. */
export const priced = (price: Decimal | undefined, value: Decimal | undefined): Decimal | undefined =>
  price === undefined && value !== undefined && isZero(value) ? undefined : value;

const integerText = z
  .string()
  .regex(INTEGER, 'not an integer')
  .transform((value) => value.trim().replace(/\.0+$/, ''));

/** A raw token amount: an integer in the smallest unit, text or number. */
export const raw = z.union([integerText, z.int()]).transform((value): bigint => BigInt(value));

/** A count or an order number small enough for arithmetic. */
export const count = z.union([integerText, z.int()]).transform(Number).pipe(z.int());

/** The longest name or key: these are stored, compared and sent on. */
const MAX_WORD = 512;
/** The longest text that is shown, such as a description. */
const MAX_TEXT = 20_000;

/** An identifier, integer or text; kept as text, because some have 19 digits. */
export const ident = z.union([z.string().max(MAX_WORD).trim().min(1), z.int()]).transform(String);

export const text = z.string().max(MAX_WORD);

/** Text that says something, as one visible line: whoever titles a proposal must not write a line of a message. An empty or blank one is as good as none. */
export const words = z
  .string()
  .max(MAX_TEXT)
  .transform((value) => oneLine(value).trim())
  .pipe(z.string().min(1));

/** Browsers and platforms take no longer one. */
const MAX_LINK = 2_048;

/** A web address. Other schemes are refused: what the service sends may become a link that people press. */
export const link = z
  .string()
  .max(MAX_LINK)
  .pipe(z.url({ protocol: /^https?$/ }));

/** True or false, also as the words or as 0 and 1. */
export const flag = z.union([z.boolean(), z.stringbool(), z.literal([0, 1]).transform((bit) => bit === 1)]);

/** Unix numbers below this are seconds (it is the year 5138 in seconds and 1973 in milliseconds). */
const SECONDS_BELOW = 1e11;

/** The last millisecond a calendar date can name. */
const LAST_MOMENT = 8.64e15;

/** Characters of a moment; the longest ISO form with a zone is below 50. */
const MAX_MOMENT = 64;

/** A text that names a day. A time of day alone would take its day from the clock of the machine. */
const DATED = /^(?:[+-]\d{6}|\d{4})(?:-?(?:\d\d(?:-?\d\d)?|\d{3}|W\d\d(?:-?\d)?))?(?:[Tt]|$)/;
/** The usual form, which the runtime reads as luxon does. */
const USUAL =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/;

function fromIso(text: string): number {
  if (USUAL.test(text)) return Date.parse(text);
  return DATED.test(text) ? DateTime.fromISO(text, { zone: 'utc' }).toMillis() : Number.NaN;
}

/** A moment: ISO text (UTC where it names no zone), or Unix seconds or milliseconds as a number or as text. */
export const moment = z.union([z.string().max(MAX_MOMENT), z.number()]).transform((value, context): Instant => {
  const at = typeof value === 'number' || NUMBER.test(value) ? fromUnix(Number(value)) : fromIso(value.trim().replace(' ', 'T'));
  if (Math.abs(at) <= LAST_MOMENT) return instant(Math.round(at));
  context.addIssue('not a time');
  return z.NEVER;
});

const fromUnix = (value: number): number => (Math.abs(value) < SECONDS_BELOW ? value * 1_000 : value);

/** A length of time in seconds, number or text, as milliseconds. */
export const seconds = decimal.transform((value) => Math.round(Number(value) * 1_000)).pipe(z.int().min(0));

/** In the place of what a schema could not read. */
export const UNREADABLE: unique symbol = Symbol('unreadable');

/** Reads a value where failing is ordinary: the error of a failing `safeParse` is not built unless it is looked at. */
export function attempt<T extends z.ZodType>(schema: T, value: unknown): z.output<T> | typeof UNREADABLE {
  const read = z.safeParse(schema, value);
  return read.success ? read.data : UNREADABLE;
}

/** What stands inside a schema that reads tolerantly and so shows none of it. For the doctor, which compares answers with the interface. */
export const inside = z.registry<{ readonly schema: unknown }>();

/**
 * A field the interface does not promise, or promises as nullable: null, absent, empty and unreadable all mean unknown. Never use it
 * for what identifies a row; a row without identity is broken, not unknown.
 */
export const maybe = <T extends z.ZodType>(schema: T) =>
  z
    .unknown()
    .transform((value): z.output<T> | undefined => {
      const read = value === null || value === undefined ? UNREADABLE : attempt(schema, value);
      return read === UNREADABLE ? undefined : read;
    })
    // Without this a field that is absent, not null, would break its row.
    .optional()
    .register(inside, { schema });

/** The items that the schema can read. */
export const readable = <T extends z.ZodType>(items: readonly unknown[], schema: T): z.output<T>[] =>
  items.flatMap((item): z.output<T>[] => {
    const read = attempt(schema, item);
    return read === UNREADABLE ? [] : [read];
  });

/** The items of a list inside a row or an answer; one that cannot be read costs itself. Undefined where there is no list. */
export const some = <T extends z.ZodType>(schema: T) =>
  maybe(
    z
      .array(z.unknown())
      .transform((all): readonly z.output<T>[] => readable(all, schema))
      .register(inside, { schema: z.array(schema) }),
  );
