/** Defines reminders: how long before a known date a chat is alerted, and how that is typed. Pure. */
import { z } from 'zod';
import { DAY, HOUR, MINUTE } from '../base/clock.js';
import { instantSchema } from './scalars.js';

/** The stage of reminder events. */
export const REMINDER_STAGE = 'reminder';

/** The stage of built-in reminders. They are not sent to chats that chose reminders of their own. */
export const ENDING_STAGE = 'ending';

export const MAX_REMINDERS = 5;
const [MIN_MINUTES, MAX_MINUTES] = [5, (30 * DAY) / MINUTE];

/** The value is in minutes before the date. */
export const offsetSchema = z.int().min(MIN_MINUTES).max(MAX_MINUTES);

/** Tells whether a reminder can come so many minutes before an end. */
export const isReminderTime = (minutes: number): boolean => offsetSchema.safeParse(minutes).success;

/** An empty list switches reminders off. */
export const offsetsSchema = z.array(offsetSchema).max(MAX_REMINDERS).readonly();

/** A `start` appears in `/next` but causes no reminder. */
export const DATE_KINDS = ['end', 'twap', 'close', 'cliff', 'start'] as const;
export type DateKind = (typeof DATE_KINDS)[number];

export const DATE_WORDS: Readonly<Record<DateKind, string>> = {
  end: 'Ends',
  twap: 'TWAP window opens',
  close: 'Launch closes',
  cliff: 'Vesting cliff',
  start: 'Opens',
};

export const reminderSchema = z.object({
  what: z.enum(DATE_KINDS),
  at: instantSchema,
  before: offsetSchema,
  /** The name of what ends, such as '"Fund the second audit" (Tidewater)'. */
  title: z.string(),
});
export type Reminder = z.infer<typeof reminderSchema>;

/** Reads the reminder from the facts of an event; undefined for any other event. */
export const reminderOf = ({ stage, facts }: Staged): Reminder | undefined =>
  stage === REMINDER_STAGE ? reminderSchema.safeParse(facts?.['reminder']).data : undefined;

interface Staged {
  readonly stage?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^m(?:in(?:ute)?s?)?$/u, 1],
  [/^h(?:(?:ou)?rs?)?$/u, HOUR / MINUTE],
  [/^d(?:ays?)?$/u, DAY / MINUTE],
  [/^w(?:eeks?|ks?)?$/u, (7 * DAY) / MINUTE],
];

/** Parses "1d", "90min" or "2 hours" to minutes. Returns undefined for other text and times out of bounds. */
export function readOffset(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,5})\s*([a-z]+)$/u.exec(text.trim().toLowerCase()) ?? [];
  const [, minutes] = UNITS.find(([form]) => form.test(unit)) ?? [];
  return minutes === undefined ? undefined : offsetSchema.safeParse(Number(digits) * minutes).data;
}

/** Writes minutes as they are typed: "1d", "2h", "90min". */
export function offsetText(minutes: number): string {
  const [days, hours] = [(minutes * MINUTE) / DAY, (minutes * MINUTE) / HOUR];
  return Number.isInteger(days) ? `${days}d` : Number.isInteger(hours) ? `${hours}h` : `${minutes}min`;
}

/** Writes "1d, 1h", or "off" for none; the longest comes first. */
export const offsetsText = (offsets: readonly number[]): string =>
  offsets.length === 0
    ? 'off'
    : offsets
        .toSorted((a, b) => b - a)
        .map(offsetText)
        .join(', ');
