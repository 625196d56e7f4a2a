/** How unusual a figure is against its own year. */
import { DAY } from '../base/clock.js';
import type { Point } from './crossing.js';
import { divide, mean, multiply, squareRoot, subtract, sum } from './decimal.js';
import { decimal, type Decimal } from './scalars.js';

const YEAR = 365 * DAY;
/** Fewer values say nothing about what is usual. */
export const LEAST_VALUES = 30;

/** The distance from the mean of the year before it, in standard deviations; undefined where the history is too short or never moved. */
export function zScoreOf(now: Point, history: readonly Point[]): Decimal | undefined {
  const year = history.filter(({ at }) => at < now.at && at >= now.at - YEAR).map(({ value }) => value);
  const average = mean(year);
  if (average === undefined || year.length < LEAST_VALUES) return undefined;
  const squares = year.map((value) => subtract(value, average)).map((apart) => multiply(apart, apart));
  const root = squareRoot(divide(sum(squares), decimal(year.length - 1)) ?? decimal('0'));
  // A figure that never moved has no deviation to measure by.
  return root && divide(subtract(now.value, average), root);
}
