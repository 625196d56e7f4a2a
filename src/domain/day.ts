/** Computes UTC calendar days, times of day, and the wall clocks and short names of timezones. */
import { DAY, instant } from '../base/clock.js';
import { daySchema, type Day, type Instant } from './scalars.js';
import { z } from 'zod';
import { IANAZone } from 'luxon';

export const dayOf = (moment: Instant): Day => daySchema.parse(new Date(moment).toISOString().slice(0, 10));

/** Adds days; a negative number goes back. */
export const addDays = (day: Day, days: number): Day => dayOf(instant(Date.parse(day) + days * DAY));

export const daysUpTo = (last: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, index) => addDays(last, index - count + 1));

/** A time of day in the form "22:30". */
export const clockTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u);

export function hourAndMinute(time: string): { readonly hour: number; readonly minute: number } {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { hour, minute };
}

const MINUTE = 60_000;

/** Returns the offset in minutes ahead of UTC. An unknown timezone counts as UTC. */
function offsetIn(zone: string | undefined, at: Instant): number {
  if (zone === undefined || zone === 'UTC') return 0;
  const offset = IANAZone.create(zone).offset(at);
  return Number.isNaN(offset) ? 0 : offset;
}

/** Returns the date whose UTC fields show the wall clock of the timezone. */
export const wallClock = (at: Instant, zone: string | undefined): Date => new Date(at + offsetIn(zone, at) * MINUTE);

/** Each locale abbreviates only the timezones of its own region: "CET" is British, "IST" Indian. */
const LOCALES = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IN', 'en-ZA', 'en-SG', 'en-HK'] as const;

/** Returns "CET" or "NST", or "UTC+9" if English has no abbreviation. */
export function shortZoneName(zone: string | undefined, at: Instant): string {
  if (zone === undefined || !IANAZone.isValidZone(zone)) return 'UTC';
  const offset = offsetIn(zone, at);
  return abbreviation(zone, at, offset) ?? offsetName(offset);
}

const abbreviations = new Map<string, string | undefined>();

/** Cached by offset, because the name changes only with it, as from "CET" to "CEST". */
function abbreviation(zone: string, at: Instant, offset: number): string | undefined {
  const key = `${zone} ${offset}`;
  if (!abbreviations.has(key))
    abbreviations.set(
      key,
      LOCALES.map((locale) => nameIn(locale, zone, at)).find((name) => !/^GMT[-+]/u.test(name)),
    );
  return abbreviations.get(key);
}

const nameIn = (locale: string, zone: string, at: Instant): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }).formatToParts(at).find(({ type }) => type === 'timeZoneName')
    ?.value ?? '';

function offsetName(offset: number): string {
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `UTC${offset < 0 ? '−' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}
