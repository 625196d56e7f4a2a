/** UTC calendar days: the unit in which growth is counted and in which charts are summed up. */
import { DateTime } from 'luxon';
import { daySchema, type Day, type Instant } from './scalars.js';

/** The UTC day a moment lies in. */
export const dayOf = (moment: Instant): Day => daySchema.parse(DateTime.fromMillis(moment, { zone: 'utc' }).toISODate());

/** The day so many days later; earlier where `days` is negative. */
export const addDays = (day: Day, days: number): Day => daySchema.parse(DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate());

/** So many days in a row that end with `last`, oldest first. */
export const daysUpTo = (last: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, index) => addDays(last, index - count + 1));
