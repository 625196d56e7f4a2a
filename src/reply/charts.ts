/** Makes the charts of replies, as data. */
import { decimal, type Day, type Decimal, type Instant } from '../domain/scalars.js';
import type { ChartDraft } from '../chat/chart.js';
import { absolute, add, compare, isNegative, isZero, negate, subtract } from '../domain/decimal.js';
import type { GrowthMetric } from '../analytics/endpoints/project.js';
import { capitalised } from '../base/sentence-lists.js';
import { percent } from '../domain/format.js';
import type { GapPoint, GapRange } from '../domain/premium.js';
import { type SupplyEvent, isImplausible } from '../analytics/endpoints/supply.js';
import { DAY } from '../base/clock.js';
import type { DatedValue as Row } from './tables.js';

export type ChartPoint = [at: number, value: number | null];

const numberOf = (value: Decimal | undefined): number | null => (value === undefined ? null : Number(value));

const MAX_POINTS = 360;

/** Reduces points: keeps both ends, and the lowest, the highest and a gap of each interval, the oldest first. */
export function thinned(points: readonly ChartPoint[], most = MAX_POINTS): readonly ChartPoint[] {
  if (points.length <= most) return points;
  const size = Math.ceil((points.length - 2) / Math.max(1, Math.floor((most - 2) / 3)));
  const inner = points.slice(1, -1);
  const stretches = Array.from({ length: Math.ceil(inner.length / size) }, (_, index) => inner.slice(index * size, (index + 1) * size));
  return [points[0], ...stretches.flatMap(notable), points.at(-1)].filter((point) => point !== undefined);
}

function notable(stretch: readonly ChartPoint[]): readonly ChartPoint[] {
  const known = stretch.filter((point): point is [number, number] => point[1] !== null);
  const low = known.reduce<[number, number] | undefined>((best, one) => (best === undefined || one[1] < best[1] ? one : best), undefined);
  const high = known.reduce<[number, number] | undefined>((best, one) => (best === undefined || one[1] > best[1] ? one : best), undefined);
  const gap = stretch.find(([, value]) => value === null);
  return [...new Set([low, high, gap])].filter((point) => point !== undefined).toSorted(([a], [b]) => a - b);
}

export interface AllocationSlice {
  readonly name: string;
  /** The value is in USD; undefined without a price. */
  readonly value?: Decimal | undefined;
}

export interface AllocationWords {
  readonly title: string;
  readonly subtitle?: string | undefined;
}

const ZERO = decimal('0');

/** Draws the parts as a ring. Returns undefined if fewer than two are above 0. */
export function allocationChart(holdings: readonly AllocationSlice[], { title, subtitle }: AllocationWords): ChartDraft | undefined {
  const parts = holdings.flatMap(({ name, value }) =>
    value === undefined || compare(value, ZERO) <= 0 ? [] : [{ name, value: Number(value) }],
  );
  return parts.length < 2 ? undefined : { kind: 'shares', title, subtitle, unit: 'usd', parts };
}

/** Returns the name, else the id in words: "daily-traders" is "Daily traders". */
export const metricTitle = ({ id, name }: Pick<GrowthMetric, 'id' | 'name'>): string => name ?? capitalised(id.replaceAll(/[-_]+/gu, ' '));

export function growthChart(metric: GrowthMetric, days: readonly Day[], title: string): ChartDraft | undefined {
  const values = new Map(metric.days.map(({ day, value }) => [day, value]));
  const name = metricTitle(metric);
  if (days.filter((day) => values.has(day)).length < 2) return undefined;
  const { unit, axis } = measureOf(metric);
  return {
    kind: 'xy',
    title,
    series: [{ name, draw: 'line', unit, points: days.map((day) => [Date.parse(day), numberOf(values.get(day))]) }],
    axisNames: { left: axis === undefined ? name : `${name}, ${axis}` },
  };
}

function measureOf({ unit }: Pick<GrowthMetric, 'unit'>): {
  readonly unit: 'usd' | 'percent' | 'count' | 'tokens';
  readonly axis?: string;
} {
  const word = unit?.toLowerCase();
  if (word === 'usd') return { unit: 'usd' };
  if (word === 'percent' || word === '%') return { unit: 'percent' };
  if (word === undefined || word === 'count') return { unit: 'count' };
  return { unit: 'tokens', axis: unit };
}

export function premiumChart({ ends, low, high }: GapRange, title: string): ChartDraft | undefined {
  // The extremes are added, because of each day only the last point is drawn.
  const rows = [...new Map([...ends, low, high].map((point) => [point.at, point])).values()].toSorted((a, b) => a.at - b.at);
  if (rows.filter(({ price, navPerShare }) => price !== undefined && navPerShare !== undefined).length < 2) return undefined;
  return {
    kind: 'xy',
    title,
    series: [
      { name: 'price', draw: 'line', unit: 'usd', points: rows.map(({ at, price }) => [at, numberOf(price)]) },
      {
        name: 'NAV/share',
        draw: 'line',
        unit: 'usd',
        tone: 'second',
        points: rows.map(({ at, navPerShare }) => [at, numberOf(navPerShare)]),
      },
    ],
    gap: true,
    gapNames: { up: 'above NAV', down: 'below NAV' },
    marks: low.at === high.at ? [] : [...mark('low', low), ...mark('high', high)],
  };
}

const mark = (name: 'low' | 'high', { at, gap, price, navPerShare }: GapPoint) => {
  const value = numberOf(price);
  if (value === null) return [];
  // A label is on the side of the price that is away from NAV/share.
  const under = navPerShare === undefined ? name === 'low' : value < Number(navPerShare);
  return [{ name: `${name} ${percent(gap)}`, series: 0, at, value, side: under ? ('below' as const) : ('above' as const) }];
};

export interface SupplyWords {
  readonly title: string;
  readonly symbol: string;
  /** Undefined unless all mints and burns are known. */
  readonly events: readonly SupplyEvent[] | undefined;
}

/** Draws the supply, the oldest point first. Returns undefined for fewer than two points. */
export function supplyHistoryChart(rows: readonly Row[], { title, symbol, events }: SupplyWords): ChartDraft | undefined {
  const [first] = rows;
  if (first === undefined || rows.length < 2) return undefined;
  const [added, removed] = events === undefined ? (['added', 'removed'] as const) : (['minted', 'burned'] as const);
  const moves = events === undefined ? changes(rows) : minted(events.filter(({ at }) => at >= first.at));
  const per = (rows.at(-1) ?? first).at - first.at > LONG ? WEEK : DAY;
  const up = sums(
    moves.filter(({ by }) => !isNegative(by)),
    per,
  );
  const down = sums(
    moves.filter(({ by }) => isNegative(by)),
    per,
  );
  return {
    kind: 'xy',
    title,
    series: [
      { name: 'supply', draw: 'step', unit: 'tokens', points: [...thinned(rows.map(({ at, value }) => [at, numberOf(value)]))] },
      ...bars(added, 'up', up),
      ...bars(removed, 'down', down),
    ],
    axisNames: {
      left: symbol,
      ...(up.length + down.length === 0 ? {} : { below: `${symbol} ${added} and ${removed} a ${per === DAY ? 'day' : 'week'}` }),
    },
  };
}

const LONG = 120 * DAY;
const WEEK = 7 * DAY;
const MONDAY = 4 * DAY;

interface Move {
  readonly at: Instant;
  readonly by: Decimal;
}

const minted = (events: readonly SupplyEvent[]): readonly Move[] =>
  events.flatMap((row) => {
    if (isImplausible(row)) return [];
    const { at, type, amount } = row;
    const size = absolute(amount);
    return type.toLowerCase() === 'mint' ? [{ at, by: size }] : type.toLowerCase() === 'burn' ? [{ at, by: negate(size) }] : [];
  });

const changes = (rows: readonly Row[]): readonly Move[] =>
  rows.flatMap(({ at, value }, index) => {
    const before = rows[index - 1];
    const by = before && subtract(value, before.value);
    return by === undefined || isZero(by) ? [] : [{ at, by }];
  });

const bars = (name: 'added' | 'removed' | 'minted' | 'burned' | 'in' | 'out', tone: 'up' | 'down', points: readonly ChartPoint[]) =>
  points.length === 0
    ? []
    : [
        {
          name,
          draw: 'bar' as const,
          unit: 'tokens' as const,
          axis: 'below' as const,
          tone,
          stack: name === 'in' || name === 'out' ? 'flow' : 'events',
          points: [...points],
        },
      ];

function sums(moves: readonly Move[], per: number): readonly ChartPoint[] {
  const periods = new Map<number, Decimal>();
  for (const { at, by } of moves) {
    const begin = Math.floor((at - MONDAY) / per) * per + MONDAY;
    periods.set(begin, add(periods.get(begin) ?? decimal('0'), by));
  }
  return [...periods].toSorted(([a], [b]) => a - b).map(([at, value]) => [at, numberOf(value)]);
}

/** If the lowest value is below this part of the highest, the chart is an area from zero. */
const DEEP = 0.6;

/** Draws the treasury's value, the oldest point first; a large fall as an area. Returns undefined for fewer than two points. */
export function treasuryHistoryChart(rows: readonly Row[], title: string): ChartDraft | undefined {
  if (rows.length < 2) return undefined;
  const points = thinned(rows.map(({ at, value }) => [at, numberOf(value)]));
  const values = points.flatMap(([, value]) => value ?? []);
  const draw = Math.min(...values) < DEEP * Math.max(...values) ? 'area' : 'line';
  return { kind: 'xy', title, series: [{ name: 'treasury', draw, unit: 'usd', points: [...points] }] };
}

export interface FlowPeriod {
  readonly at: Instant;
  readonly acquired?: Decimal | undefined;
  readonly reduced?: Decimal | undefined;
  readonly position?: { readonly opening?: Decimal | undefined; readonly closing?: Decimal | undefined } | undefined;
}

export interface FlowWords {
  readonly title: string;
  readonly coin: string;
}

/** Draws the flows of a coin, the oldest period first. Returns undefined if nothing moved. */
export function tokenFlowChart(periods: readonly FlowPeriod[], { title, coin }: FlowWords): ChartDraft | undefined {
  if (periods.length < 2 || periods.every(({ position }) => position === undefined)) return undefined;
  return {
    kind: 'xy',
    title,
    series: [
      { name: 'held', draw: 'step', unit: 'tokens', points: [...held(periods)] },
      ...bars(
        'in',
        'up',
        moved(periods, ({ acquired }) => acquired && absolute(acquired)),
      ),
      ...bars(
        'out',
        'down',
        moved(periods, ({ reduced }) => reduced && negate(absolute(reduced))),
      ),
    ],
    axisNames: { left: `${coin} held`, below: `${coin} in and out` },
  };
}

function held(periods: readonly FlowPeriod[]): readonly ChartPoint[] {
  let standing = periods.find(({ position }) => position !== undefined)?.position?.opening;
  return periods.map(({ at, position }) => {
    if (position !== undefined) standing = position.closing;
    return [at, numberOf(standing)];
  });
}

const moved = (periods: readonly FlowPeriod[], amount: (period: FlowPeriod) => Decimal | undefined): readonly ChartPoint[] =>
  periods.flatMap((period): ChartPoint[] => {
    const value = amount(period);
    return value === undefined || isZero(value) ? [] : [[period.at, numberOf(value)]];
  });
