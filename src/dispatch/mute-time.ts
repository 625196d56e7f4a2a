/** How long a mute lasts, as people write it: a length, or a moment by the clock and the calendar of their chat. Pure. */
import { DateTime } from 'luxon';
import { DAY, HOUR, instant, later, MINUTE, type Instant } from '../base/clock.js';

/** `until` is when alerts come again; `says` is a sentence that says what is wrong and what can be written. Undefined: that was no time at all. */
export type MuteTime = { readonly until: Instant } | 'off' | { readonly says: string } | undefined;

export interface Here {
  readonly now: Instant;
  /** The chat's IANA timezone. */
  readonly zone: string;
}

export const LONGEST_MUTE = 90 * DAY;
export const TIME_EXAMPLES = '30m, 2h, 3d or 1w, or until when: 18:00, tomorrow 9:00, 1 Dec, 2026-12-01 18:00';

/** `2h`, `3 days`, `off`, `18:00`, `tomorrow 9:00`, `until 1 Dec 18:00`, `2026-12-01`. Numbers that are out of range are answered, names are not. */
export function muteTime(text: string, here: Here): MuteTime {
  const words = text.trim().replace(/\s+/gu, ' ').toLowerCase();
  if (/^(?:off|end|none)$/u.test(words)) return 'off';
  const bare = words.replace(/^(?:until|till|to|for)\b\s*/u, '');
  const length = lengthOf(bare);
  if (length !== undefined)
    return length > 0 ? limited(later(here.now, length), { text, here }) : { says: 'A mute needs a length above zero.' };
  const found = momentOf(bare, here);
  if (found === undefined) return undefined;
  return found.isValid ? limited(instant(found.toMillis()), { text, here }) : { says: `There is no such day or time as “${text}”.` };
}

/** Whether a word can only have been meant as a time, however wrong it is. */
export const looksLikeTime = (text: string): boolean => /^(?:[-+]?\d|until\b|till\b|tomorrow\b|today\b)/iu.test(text);

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };

/** In milliseconds. */
function lengthOf(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,5})\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?)$/u.exec(text) ?? [];
  return digits === undefined || unit === undefined ? undefined : Number(digits) * (UNITS[unit.charAt(0)] ?? Number.NaN);
}

function limited(until: Instant, { text, here: { now } }: { text: string; here: Here }): MuteTime {
  if (until <= now) return { says: `“${text}” is over already. Write a time that is still to come.` };
  if (until - now > LONGEST_MUTE) return { says: `A mute lasts at most ${LONGEST_MUTE / DAY} days. To stop for good, use /unwatch.` };
  return { until };
}

const CLOCK_FORMATS = ['H:mm', 'h:mma', 'ha', 'H.mm'] as const;
const DAY_FORMATS = ['yyyy-M-d', 'd.M.yyyy', 'd LLL yyyy', 'd LLLL yyyy', 'LLL d yyyy', 'LLLL d yyyy'] as const;

/** A day, a time of day, or both. Without a time it is the beginning of the day; without a day it is the next such time. */
function momentOf(text: string, here: Here): DateTime | undefined {
  const words = text
    .replaceAll(/,|\bat\b/gu, ' ')
    .replace(/(\d)t(\d)/u, '$1 $2')
    .replace(/\bsept\b/u, 'sep')
    .trim()
    .split(/\s+/u);
  // The day decides whether there is such a time on it, so the clock is read without one.
  const clock = read(words.at(-1) ?? '', { formats: CLOCK_FORMATS, zone: 'utc' });
  if (clock === undefined) return dayOf(words.join(' '), here);
  if (words.length === 1) return clock.isValid ? nextTime(clock, here) : clock;
  const date = dayOf(words.slice(0, -1).join(' '), here);
  if (date === undefined || !date.isValid) return date;
  return clock.isValid ? date.set({ hour: clock.hour, minute: clock.minute }) : clock;
}

function nextTime({ hour, minute }: DateTime, { now, zone }: Here): DateTime {
  const today = DateTime.fromMillis(now, { zone }).startOf('day');
  const then = today.set({ hour, minute });
  return then.toMillis() > now ? then : today.plus({ days: 1 }).set({ hour, minute });
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function dayOf(text: string, { now, zone }: Here): DateTime | undefined {
  const today = DateTime.fromMillis(now, { zone }).startOf('day');
  if (text === 'today') return today;
  if (text === 'tomorrow') return today.plus({ days: 1 });
  const weekday = text.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(text));
  if (weekday >= 0) return today.plus({ days: ((weekday + 7 - today.weekday) % 7) + 1 });
  const dated = read(text, { formats: DAY_FORMATS, zone });
  if (dated !== undefined) return dated;
  const day = read(`${text} ${today.year}`, { formats: DAY_FORMATS, zone });
  if (day === undefined || !day.isValid || day >= today) return day;
  // In December, 3 Jan is next year's; in March, 1 Dec is over.
  const next = day.plus({ years: 1 });
  return next.toMillis() - now <= LONGEST_MUTE ? next : day;
}

/** Undefined where none of the formats is meant; invalid where one is and there is no such day or time. */
function read(text: string, { formats, zone }: { formats: readonly string[]; zone: string }): DateTime | undefined {
  const readings = formats.map((format) => DateTime.fromFormat(text, format, { zone, locale: 'en-US' }));
  return readings.find(({ isValid }) => isValid) ?? readings.find(({ invalidReason }) => invalidReason === 'unit out of range');
}
