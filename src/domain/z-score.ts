/** Z-score of a value against its own year. */
import { DAY } from '../base/clock.js';
import type { Point, YearSpread } from './crossing.js';
import { divide, spreadOf, subtract, type Deviation } from './decimal.js';
import type { Decimal, Instant } from './scalars.js';

const YEAR = 365 * DAY;
export const MIN_VALUES = 30;

interface Year {
  at: Instant;
  readonly values: readonly Decimal[];
  readonly spread: Deviation | undefined;
  /** Rules of many chats evaluate the same value. */
  asked?: { readonly value: Decimal; readonly zScore: Decimal | undefined };
}

/** By history, which all chats share after a check. */
const years = new WeakMap<readonly Point[], Year>();

function yearBefore(history: readonly Point[], at: Instant): Year {
  const known = years.get(history);
  if (known?.at === at) return known;
  const values = history.filter((point) => point.at < at && point.at >= at - YEAR).map(({ value }) => value);
  if (known !== undefined && isSame(known.values, values)) {
    known.at = at;
    return known;
  }
  const fresh: Year = { at, values, spread: values.length < MIN_VALUES ? undefined : spreadOf(values) };
  years.set(history, fresh);
  return fresh;
}

const isSame = (before: readonly Decimal[], now: readonly Decimal[]): boolean =>
  before.length === now.length && before.every((value, index) => value === now[index]);

/** From the mean of the previous year; undefined where the history is too short or constant. */
export function zScoreOf(now: Point, history: readonly Point[]): Decimal | undefined {
  const year = yearBefore(history, now.at);
  if (year.asked?.value === now.value) return year.asked.zScore;
  const zScore = year.spread && divide(subtract(now.value, year.spread.mean), year.spread.deviation);
  year.asked = { value: now.value, zScore };
  return zScore;
}

/** What `zScoreOf` compares with; undefined where the history is too short. */
export function yearSpreadOf(now: Pick<Point, 'at'>, history: readonly Point[]): YearSpread | undefined {
  const { spread, values } = yearBefore(history, now.at);
  return spread && { ...spread, count: values.length };
}
