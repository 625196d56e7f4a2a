/** Whether what was measured stays flat. Pure. */
import type { DayMeasured } from './measure.js';

/** Most is kept for 30 days; by then it is filled, and it is judged by the days after. */
export const FILLED_AFTER = 35;
/** Fewer days say nothing. */
export const MIN_JUDGED_DAYS = 30;
/** A day, of the level. */
const MAX_GROWTH = 0.001;
/** What the window may grow by in all, as small levels vary by chance. */
const MIN_GROWN: readonly (readonly [unit: RegExp, grown: number])[] = [
  [/, documents$/u, 20],
  [/, kB$/u, 64],
  [/, MB$/u, 2],
  [/./u, 10],
];

/** Kept for longer than a run judges: it must not grow faster than before. */
const FILLING: readonly (readonly [name: string, because: string])[] = [
  ['sources', 'the command line is kept for 90 days'],
  ['action', 'long buttons are kept for 90 days'],
  ['ledger', 'a document a month, for 400 days'],
  ['receipt', 'a page goes 30 days after its newest receipt, which may be weeks after its oldest'],
];
/** Of what exists in the world, whose lists grow. */
const GROWS_WITH_WORLD: readonly (readonly [name: string, because: string])[] = [
  [
    'watermark',
    'the ids of rows that exist: at most 3,000 of a ledger; proposals, launches, growth days and tranches that the service lists',
  ],
  ['answer', 'responses of the service, whose lists grow'],
];
/** A day, of the level, of what grows with the world. */
const MAX_WORLD_GROWTH = 0.005;

export interface Verdict {
  readonly name: string;
  /** Mean of the judged days. */
  readonly level: number;
  /** Of the level, a day. */
  readonly growth: number;
  readonly kind: 'flat' | 'still filling' | 'grows with the world' | 'grows';
  readonly because?: string;
}

/** Days that count as independent, at least; https://doi.org/10.1029/1999JD901105 */
const MIN_INDEPENDENT = 3;

/** Least squares: the growth a day, and its standard error, wider where a day is like the day before, as levels are. */
export function slope(values: readonly number[]): { readonly growth: number; readonly error: number } {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = values.reduce((sum, _, day) => sum + (day - middle) ** 2, 0);
  const growth = values.reduce((sum, value, day) => sum + (day - middle) * (value - mean), 0) / spread;
  const left = values.map((value, day) => value - mean - growth * (day - middle));
  const squares = left.reduce((sum, one) => sum + one ** 2, 0);
  const alike = squares === 0 ? 0 : Math.max(0, left.reduce((sum, one, day) => sum + one * (left[day + 1] ?? 0), 0) / squares);
  const independent = Math.max(MIN_INDEPENDENT, (values.length * (1 - alike)) / (1 + alike));
  return { growth, error: Math.sqrt(squares / (independent - 2) / spread) };
}

/** By name: `event, documents`, `event, kB`, `heap, MB`. A collection that is absent on a day has none. */
export function seriesOf(days: readonly DayMeasured[]): ReadonlyMap<string, readonly number[]> {
  const collections = [...new Set(days.flatMap((day) => Object.keys(day.collections)))].toSorted();
  const levels = [...new Set(days.flatMap((day) => Object.keys(day.levels)))];
  return new Map([
    ...collections.flatMap((name) => [
      [`${name}, documents`, days.map((day) => day.collections[name]?.documents ?? 0)] as const,
      [`${name}, kB`, days.map((day) => (day.collections[name]?.bytes ?? 0) / 1_024)] as const,
    ]),
    ...levels.map((name) => [name, days.map((day) => day.levels[name] ?? 0)] as const),
  ]);
}

/** Undefined where there are too few days to judge. */
export function verdicts(days: readonly DayMeasured[]): readonly Verdict[] | undefined {
  if (days.length < FILLED_AFTER + MIN_JUDGED_DAYS) return undefined;
  return [...seriesOf(days)].map(([name, values]) => verdictOf(name, values));
}

function verdictOf(name: string, values: readonly number[]): Verdict {
  const judged = values.slice(FILLED_AFTER);
  const level = judged.reduce((sum, value) => sum + value, 0) / judged.length;
  const { growth, error } = slope(judged);
  // What two standard errors cannot tell from chance is none.
  const certain = Math.max(0, growth - 2 * error);
  const found = { name, level, growth: level === 0 ? 0 : growth / level };
  const isSmall = growth * judged.length <= (MIN_GROWN.find(([unit]) => unit.test(name))?.[1] ?? 0);
  if (isSmall || certain <= MAX_GROWTH * level) return { ...found, kind: 'flat' };
  const of = (list: readonly (readonly [string, string])[]): string | undefined => list.find(([one]) => name.startsWith(`${one}, `))?.[1];
  const [filling, world] = [of(FILLING), of(GROWS_WITH_WORLD)];
  const before = slope(values.slice(0, FILLED_AFTER)).growth;
  if (filling !== undefined && certain <= before) return { ...found, kind: 'still filling', because: filling };
  if (world !== undefined && certain <= MAX_WORLD_GROWTH * level) return { ...found, kind: 'grows with the world', because: world };
  return { ...found, kind: 'grows' };
}
