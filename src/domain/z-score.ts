/** Compares a value with those of its own year. */
import { RecentMap } from '../base/bounded-cache.js';
import { DAY } from '../base/clock.js';
import type { Point, YearSpread } from './crossing.js';
import { divide, momentsOf, movedMoments, spreadOf, subtract, type Deviation, type Moments } from './decimal.js';
import type { Decimal, Instant } from './scalars.js';

const YEAR = 365 * DAY;
export const MIN_VALUES = 30;

interface Year {
  readonly values: readonly Decimal[];
  readonly moments: Moments;
  readonly spread: Deviation | undefined;
  asked?: { readonly value: Decimal; readonly zScore: Decimal | undefined };
}

interface Years {
  readonly byMoment: Map<Instant, Year>;
  newest?: Year;
}

/** Cached by history, because all chats share them. */
const known = new WeakMap<readonly Point[], Years>();
const MAX_MOMENTS = 400;

function yearBefore(history: readonly Point[], at: Instant): Year {
  const years: Years = known.get(history) ?? { byMoment: new RecentMap(MAX_MOMENTS) };
  known.set(history, years);
  const found = years.byMoment.get(at);
  if (found !== undefined) return found;
  const values = history.filter((point) => point.at < at && point.at >= at - YEAR).map(({ value }) => value);
  const year = years.newest === undefined ? yearOf(values, momentsOf(values)) : yearAfter(years.newest, values);
  years.byMoment.set(at, year);
  years.newest = year;
  return year;
}

const yearOf = (values: readonly Decimal[], moments: Moments): Year => ({
  values,
  moments,
  spread: values.length < MIN_VALUES ? undefined : spreadOf(moments),
});

/** Computes the next year from the one before, by the values that entered and left. */
function yearAfter(before: Year, values: readonly Decimal[]): Year {
  const stay = overlap(before.values, values);
  if (stay === undefined) return yearOf(values, momentsOf(values));
  const [removed, added] = [before.values.slice(0, stay.from), values.slice(stay.count)];
  if (removed.length + added.length === 0) return before;
  return yearOf(values, movedMoments(before.moments, { removed, added }));
}

/** Finds the values that two years share. An overlap of less than half is not used, because it saves nothing. */
function overlap(before: readonly Decimal[], now: readonly Decimal[]): { readonly from: number; readonly count: number } | undefined {
  const [first] = now;
  for (let from = 0; from <= before.length / 2; from += 1) {
    const count = before.length - from;
    if (before[from] === first && count <= now.length && before.every((value, index) => index < from || value === now[index - from]))
      return { from, count };
  }
  return undefined;
}

/** Returns the distance from the mean of the previous year, in deviations; undefined for a short or constant history. */
export function zScoreOf(now: Point, history: readonly Point[]): Decimal | undefined {
  const year = yearBefore(history, now.at);
  if (year.asked?.value === now.value) return year.asked.zScore;
  const zScore = year.spread && divide(subtract(now.value, year.spread.mean), year.spread.deviation);
  year.asked = { value: now.value, zScore };
  return zScore;
}

/** Returns the spread that `zScoreOf` compares with. */
export function yearSpreadOf(now: Pick<Point, 'at'>, history: readonly Point[]): YearSpread | undefined {
  const { spread, values } = yearBefore(history, now.at);
  return spread && { ...spread, count: values.length };
}
