/** UTC calendar days. */
import { DAY, instant } from '../base/clock.js';
import { daySchema, type Day, type Instant } from './scalars.js';

export const dayOf = (moment: Instant): Day => daySchema.parse(new Date(moment).toISOString().slice(0, 10));

/** Earlier if negative. */
export const addDays = (day: Day, days: number): Day => dayOf(instant(Date.parse(day) + days * DAY));

export const daysUpTo = (last: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, index) => addDays(last, index - count + 1));
