/** How unusual a figure is against its own year. */
import { DAY } from '../base/clock.js';
import type { Point } from './crossing.js';
import { divide, spreadOf, subtract, type Spread } from './decimal.js';
import type { Decimal, Instant } from './scalars.js';

const YEAR = 365 * DAY;
/** Fewer values say nothing about what is usual. */
export const LEAST_VALUES = 30;

/** The year of a history before a moment: every chat's rules ask for the same one after a look. */
const years = new WeakMap<readonly Point[], { readonly at: Instant; readonly spread: Spread | undefined }>();

function spreadBefore(history: readonly Point[], at: Instant): Spread | undefined {
  const known = years.get(history);
  if (known?.at === at) return known.spread;
  const year = history.filter((point) => point.at < at && point.at >= at - YEAR).map(({ value }) => value);
  const spread = year.length < LEAST_VALUES ? undefined : spreadOf(year);
  years.set(history, { at, spread });
  return spread;
}

/** The distance from the mean of the year before it, in standard deviations; undefined where the history is too short or never moved. */
export function zScoreOf(now: Point, history: readonly Point[]): Decimal | undefined {
  const spread = spreadBefore(history, now.at);
  return spread && divide(subtract(now.value, spread.mean), spread.deviation);
}
