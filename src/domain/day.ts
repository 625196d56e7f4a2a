/** UTC calendar days, and times of day. */
import { DAY, instant } from '../base/clock.js';
import { daySchema, type Day, type Instant } from './scalars.js';
import { z } from 'zod';

export const dayOf = (moment: Instant): Day => daySchema.parse(new Date(moment).toISOString().slice(0, 10));

/** Earlier if negative. */
export const addDays = (day: Day, days: number): Day => dayOf(instant(Date.parse(day) + days * DAY));

export const daysUpTo = (last: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, index) => addDays(last, index - count + 1));

/** A time of day, such as "22:30". */
export const clockTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u);

export function hourAndMinute(time: string): { readonly hour: number; readonly minute: number } {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { hour, minute };
}
