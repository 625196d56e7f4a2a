/** Total value of all projects. */
import { DAY } from '../../src/base/clock.js';
import type { ChartDraft } from '../../src/chat/chart.js';
import { percentChange } from '../../src/domain/decimal.js';
import { date, percent, usd } from '../../src/domain/format.js';
import type { Decimal, Instant } from '../../src/domain/scalars.js';

export interface SumPoint {
  readonly at: Instant;
  readonly value: Decimal;
}

/** Oldest first. */
export const known = (rows: readonly { readonly at?: Instant; readonly value?: Decimal }[]): readonly SumPoint[] =>
  rows.flatMap(({ at, value }) => (at === undefined || value === undefined ? [] : [{ at, value }])).toSorted((a, b) => a.at - b.at);

/** Percent; undefined if the history is shorter. */
function moved(points: readonly SumPoint[], span: number): Decimal | undefined {
  const last = points.at(-1);
  const before = last && points.findLast(({ at }) => at <= last.at - span);
  return last && before && percentChange(before.value, last.value);
}

export const worth = (last: SumPoint | undefined, past?: Instant): string =>
  `${past === undefined ? 'are' : 'were'} worth ${usd(last?.value)}${onDay(last, past)}`;

const onDay = (last: SumPoint | undefined, past: Instant | undefined): string =>
  last === undefined || past === undefined ? '' : ` on ${date(last.at, past)}`;

export function worthText(points: readonly SumPoint[], past?: Instant): string {
  const last = points.at(-1);
  if (last === undefined) return 'n/a';
  const changes = [
    [moved(points, DAY), '24 h'],
    [moved(points, 7 * DAY), '7 d'],
  ] as const;
  const parts = changes.flatMap(([change, over]) => (change === undefined ? [] : [`${percent(change)} in ${over}`]));
  return `${usd(last.value)}${onDay(last, past)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}

const MAX_POINTS = 240;

function thinned(points: readonly SumPoint[]): readonly [number, number][] {
  const step = Math.max(1, Math.ceil(points.length / MAX_POINTS));
  return points.filter((_, index) => (points.length - 1 - index) % step === 0).map(({ at, value }) => [at, Number(value)]);
}

export function chartOf(caps: readonly SumPoint[], treasuries: readonly SumPoint[]): ChartDraft | undefined {
  const drawn = [
    { name: 'market cap', points: caps, tone: 'main' },
    { name: 'treasuries', points: treasuries, tone: 'second' },
  ] as const;
  const series = drawn.flatMap(({ name, points, tone }) =>
    points.length < 2 ? [] : [{ name, draw: 'line' as const, unit: 'usd' as const, tone, points: thinned(points) }],
  );
  if (series.length === 0) return undefined;
  const ends = drawn.flatMap(({ name, points }) => (points.length < 2 ? [] : [`${name} ${usd(points.at(-1)?.value)}`]));
  return {
    kind: 'xy',
    title: `All ownership coins: ${ends.join(', ')}`,
    series,
    ...(series.length === 2 ? { gap: true, gapNames: { up: 'above treasuries', down: 'below treasuries' } } : {}),
  };
}
