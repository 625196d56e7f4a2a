/** UTC calendar days. */
import { DateTime } from 'luxon';
import { daySchema, type Day, type Instant } from './scalars.js';

export const dayOf = (moment: Instant): Day => daySchema.parse(DateTime.fromMillis(moment, { zone: 'utc' }).toISODate());

/** Earlier if negative. */
export const addDays = (day: Day, days: number): Day => daySchema.parse(DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate());

export const daysUpTo = (last: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, index) => addDays(last, index - count + 1));
