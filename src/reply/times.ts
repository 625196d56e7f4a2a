/** Reads moments and the ends of mutes that a person types, and writes moments in the timezone of a chat. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { instant, DAY, HOUR, later, MINUTE } from '../base/clock.js';
import { brief } from '../base/one-line.js';
import { isOld, type BlockDraft } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';
import { line } from './blocks.js';
import { UserError } from './errors.js';

const FORMATS = ['H:mm', 'H.mm', 'H', 'h:mma', 'ha', 'h:mm a', 'h a'] as const;

/** Reads "9", "9:30", and "9 pm" as "21:00"; 24:00 is 00:00. The text is in lower case. */
export function readClockTime(text: string): string | undefined {
  if (text === '24:00' || text === '24') return '00:00';
  const read = FORMATS.map((format) => DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en-US' })).find(({ isValid }) => isValid);
  return read?.toFormat('HH:mm');
}

export const zoneOf = ({ timezone }: { readonly timezone?: string | undefined }): string => timezone ?? 'UTC';

/** Names a timezone. "Etc/GMT-2" is two hours ahead of UTC, so it is shown as "UTC+2". */
export function zoneName(zone: string): string {
  const [, sign, hours] = /^Etc\/GMT([-+])(\d{1,2})$/u.exec(zone) ?? [];
  if (hours !== undefined) return Number(hours) === 0 ? 'UTC' : `UTC${sign === '-' ? '+' : '−'}${hours}`;
  return zone.replaceAll('_', ' ');
}

export function wallTime(moment: Instant, zone: string): string {
  const name = zoneName(zone);
  return `${DateTime.fromMillis(moment, { zone, locale: 'en-US' }).toFormat('ccc LLL d, HH:mm')}${name.includes('/') ? ',' : ''} ${name}`;
}

export const quietText = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from}–${to}`;

const FORM = /^\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}(:\d{2})?[Zz]?)?$/;

const readIn = (text: string, zone = 'utc'): DateTime => DateTime.fromISO(text.toUpperCase(), { zone });

export const pastOption = z
  .string()
  .regex(FORM)
  .refine((text) => readIn(text).isValid, 'no such day or time')
  .optional()
  .describe('past date or time, like 2026-11-01 or 2026-11-01T14:00');

/** Parses a past moment in the chat's timezone, or in UTC with "Z". A day means its end, today means now. Throws a `UserError` for the future. */
export function pastMoment(
  text: string | undefined,
  { now, zone }: { readonly now: Instant; readonly zone: string | undefined },
): Instant | undefined {
  if (text === undefined) return undefined;
  const at = readIn(text, zone);
  if (at.toMillis() > now) throw new UserError("That's in the future. Enter a past date or time, like 2026-11-01.");
  const ends = text.includes(':') ? at : at.endOf('day').startOf('second');
  return instant(Math.min(ends.toMillis(), now));
}

export const earlierSnapshot = (snapshotAt: Instant | undefined, requested: Instant): readonly BlockDraft[] =>
  snapshotAt !== undefined && isOld(snapshotAt, requested)
    ? [line('⚠ Closest earlier snapshot: ', { at: snapshotAt, exact: true }, '.')]
    : [];

export const isoText = (at: Instant): string => new Date(Math.floor(at / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');

/** The end of a mute, or in `says` an error. Undefined if the text is not a time. */
export type MuteTime = { readonly until: Instant } | 'off' | { readonly says: string } | undefined;

export interface MuteClock {
  readonly now: Instant;
  /** An IANA timezone. */
  readonly zone: string;
}

export const MAX_MUTE = 90 * DAY;
export const MAX_MUTE_TEXT = `A mute lasts at most ${MAX_MUTE / DAY} days. To stop alerts for good, use /unwatch.`;
export const TIME_EXAMPLES = '30m, 2h, 3d, 18:00, tomorrow 9:00 or Dec 1';

export const MAX_TIME_WORDS = 11;
const MAX_LENGTH = 80;

/** Reads `2h`, `1h30m`, `off`, `18:00`, `tomorrow 9`, `until 1 Dec 18:00` and `18:00 UTC`. */
export function muteTime(text: string, here: MuteClock): MuteTime {
  if (text.length > MAX_LENGTH) return undefined;
  const words = text.trim().replace(/\s+/gu, ' ').toLowerCase();
  if (/^(?:off|end|none)$/u.test(words)) return 'off';
  const bare = words.replace(/^(?:until|till|to|for)\b\s*/u, '');
  const length = lengthOf(bare);
  if (length !== undefined)
    return length > 0 ? limited(later(here.now, length), { text, here }) : { says: 'A mute must be longer than zero.' };
  const universal = bare.replace(/(?<=\d)z$|\s+(?:utc|gmt)$/u, '');
  const found = momentOf(universal, universal === bare ? here : { ...here, zone: 'utc' });
  if (found === undefined) return undefined;
  return found.isValid ? limited(instant(found.toMillis()), { text, here }) : { says: `There is no date or time "${brief(text)}".` };
}

export const looksLikeTime = (text: string): boolean =>
  /^(?:[-+]?\d|(?:until|till|tomorrow|today|tonight|midnight|forever)\b)/iu.test(text);

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY, mo: 30 * DAY };
const PART = /(\d{1,5}(?:\.\d{1,2})?)\s*(months?|mo|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])\s*(?:and\s+)?/gu;

function lengthOf(text: string): number | undefined {
  // A digit directly after a unit begins another part: "1h30m".
  const spaced = text.replace(/(?<=[a-z])(?=\d)/gu, ' ');
  const parts = [...spaced.matchAll(PART)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== spaced) return undefined;
  const unitOf = (unit: string): string => (unit.startsWith('mo') ? 'mo' : unit.charAt(0));
  return Math.round(parts.reduce((sum, [, digits, unit = '']) => sum + Number(digits) * (UNITS[unitOf(unit)] ?? Number.NaN), 0));
}

function limited(until: Instant, { text, here: { now } }: { text: string; here: MuteClock }): MuteTime {
  if (until <= now) return { says: `"${brief(text)}" is in the past.` };
  if (until - now > MAX_MUTE) return { says: MAX_MUTE_TEXT };
  return { until };
}

const LOCALE = { locale: 'en-US' } as const;
const formats = (...written: readonly string[]) => written.map((format) => DateTime.buildFormatParser(format, LOCALE));
const CLOCK_FORMATS = formats('H:mm', 'h:mma', 'ha', 'H.mm', 'H:mm:ss', 'H:mm:ss.SSS');
const DAY_FORMATS = formats('yyyy-M-d', 'd.M.yyyy', 'd LLL yyyy', 'd LLLL yyyy', 'LLL d yyyy', 'LLLL d yyyy');
const HOUR_FORMAT = formats('H');

function momentOf(text: string, here: MuteClock): DateTime | undefined {
  const words = plainWords(text);
  // Parsed without a date, because some times do not exist on a day when the clocks change.
  const clock = read(words.at(-1) ?? '', { parsers: CLOCK_FORMATS, zone: 'utc' }) ?? bareHour(words);
  if (clock === undefined) return dayOf(words.join(' '), here);
  if (words.length === 1) return clock.isValid ? nextTime(clock, here) : clock;
  const name = words.slice(0, -1).join(' ');
  const date = dayOf(name, here);
  if (date === undefined || !date.isValid) return date;
  if (!clock.isValid) return clock;
  const { hour, minute } = clock;
  // On a Saturday, "sat" means the same day while the time is in the future.
  const today = DateTime.fromMillis(here.now, { zone: here.zone }).startOf('day').set({ hour, minute });
  return weekdayOf(name) === today.weekday && today.toMillis() > here.now ? today : date.set({ hour, minute });
}

const plainWords = (text: string): readonly string[] =>
  text
    .replaceAll(/,|\bat\b/gu, ' ')
    .replace(/(\d)t(\d)/u, '$1 $2')
    .replace(/\bsept\b/u, 'sep')
    .replace(/^next\s+(?=[a-z])/u, '')
    .replace(/(?<=\d)\s+(?=[ap]m$)/u, '')
    .replace(/^tonight$/u, 'today 20:00')
    .replace(/^tonight\s+/u, 'today ')
    .replace(/\b(?:midnight)$/u, '00:00')
    .replace(/\bnoon$/u, '12:00')
    .trim()
    .split(/\s+/u);

function bareHour(words: readonly string[]): DateTime | undefined {
  const [name = '', hour = '', ...others] = words;
  if (others.length > 0 || !/^\d{1,2}$/u.test(hour)) return undefined;
  if (!['today', 'tomorrow'].includes(name) && weekdayOf(name) === undefined) return undefined;
  return read(hour, { parsers: HOUR_FORMAT, zone: 'utc' });
}

function nextTime({ hour, minute }: DateTime, { now, zone }: MuteClock): DateTime {
  const today = DateTime.fromMillis(now, { zone }).startOf('day');
  const then = today.set({ hour, minute });
  return then.toMillis() > now ? then : today.plus({ days: 1 }).set({ hour, minute });
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function weekdayOf(text: string): number | undefined {
  const at = text.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(text));
  return at < 0 ? undefined : at + 1;
}

function dayOf(text: string, { now, zone }: MuteClock): DateTime | undefined {
  const today = DateTime.fromMillis(now, { zone }).startOf('day');
  if (text === 'today') return today;
  if (text === 'tomorrow') return today.plus({ days: 1 });
  const weekday = weekdayOf(text);
  if (weekday !== undefined) return today.plus({ days: ((weekday + 6 - today.weekday) % 7) + 1 });
  const dated = read(text, { parsers: DAY_FORMATS, zone });
  if (dated !== undefined) return dated;
  const day = read(/^\d{1,2}\.\d{1,2}\.$/u.test(text) ? `${text}${today.year}` : `${text} ${today.year}`, { parsers: DAY_FORMATS, zone });
  if (day === undefined || !day.isValid || day >= today) return day;
  // In December, 3 Jan is in the next year; in March, 1 Dec is in the past.
  const next = day.plus({ years: 1 });
  return next.toMillis() - now <= MAX_MUTE ? next : day;
}

function read(text: string, { parsers, zone }: { parsers: ReturnType<typeof formats>; zone: string }): DateTime | undefined {
  if (!/\d/u.test(text)) return undefined;
  const readings = parsers.map((parser) => DateTime.fromFormatParser(text, parser, { zone, ...LOCALE }));
  return readings.find(({ isValid }) => isValid) ?? readings.find(({ invalidReason }) => invalidReason === 'unit out of range');
}
