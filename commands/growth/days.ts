/** Metric by day. A day without data is a gap, not 0. */
import type { GrowthMetric } from '../../src/analytics/endpoints/project.js';
import { addDays, daysUpTo } from '../../src/domain/day.js';
import { mean, percentChange } from '../../src/domain/decimal.js';
import { amount, share, usd } from '../../src/domain/format.js';
import type { Day, Decimal } from '../../src/domain/scalars.js';

const WEEK = 7;

export interface DayRow {
  readonly day: Day;
  readonly text: string;
  readonly note: string;
}

export const latest = ({ days }: Pick<GrowthMetric, 'days'>): GrowthMetric['days'][number] | undefined => days.at(-1);

export function valueText({ unit }: Pick<GrowthMetric, 'unit'>, value: Decimal): string {
  const word = unit?.toLowerCase();
  if (word === 'usd') return usd(value);
  if (word === 'percent' || word === '%') return share(value);
  return word === undefined || word === 'count' ? amount(value) : `${amount(value)} ${unit}`;
}

/** Percent above the mean of the previous seven days with data. */
export function change(metric: Pick<GrowthMetric, 'days'>, day: Day): Decimal | undefined {
  const week = new Set(daysUpTo(addDays(day, -1), WEEK));
  const before = mean(metric.days.filter((one) => week.has(one.day)).map(({ value }) => value));
  const own = metric.days.find((one) => one.day === day);
  return before && own && percentChange(before, own.value);
}

export function daily(metric: GrowthMetric, days: readonly Day[]): readonly DayRow[] {
  const values = new Map(metric.days.map(({ day, value }) => [day, value]));
  return days.toReversed().map((day) => {
    const value = values.get(day);
    return { day, text: value === undefined ? '–' : valueText(metric, value), note: value === undefined ? 'no data' : '' };
  });
}

export function weekly(metric: GrowthMetric, days: readonly Day[]): readonly DayRow[] {
  const values = new Map(metric.days.map(({ day, value }) => [day, value]));
  const newestFirst = days.toReversed();
  const weeks = Array.from({ length: Math.ceil(days.length / WEEK) }, (_, index) => newestFirst.slice(index * WEEK, (index + 1) * WEEK));
  return weeks.flatMap((week): DayRow[] => {
    const [day] = week;
    if (day === undefined) return [];
    const known = week.flatMap((one) => values.get(one) ?? []);
    const average = mean(known);
    return [
      { day, text: average === undefined ? '–' : `${valueText(metric, average)} a day`, note: `${known.length} of ${week.length} days` },
    ];
  });
}
