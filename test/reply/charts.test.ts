import { expect, test } from 'vitest';
import type { GrowthMetric } from '../../src/analytics/endpoints/project.js';
import type { SupplyEvent } from '../../src/analytics/endpoints/supply.js';
import { DAY, HOUR, instant } from '../../src/base/clock.js';
import { chartSchema, type ChartDraft } from '../../src/chat/chart.js';
import {
  allocationChart,
  growthChart,
  thinned,
  premiumChart,
  supplyHistoryChart,
  tokenFlowChart,
  treasuryHistoryChart,
  type ChartPoint,
} from '../../src/reply/charts.js';
import { daysUpTo } from '../../src/domain/day.js';
import { gapRange } from '../../src/domain/premium.js';
import { daySchema, decimal } from '../../src/domain/scalars.js';

const START = Date.UTC(2026, 10, 1);
const at = (days: number) => instant(START + days * DAY);

/** The chart with its defaults filled in; fails where there is none. */
function xy(draft: ChartDraft | undefined) {
  const chart = chartSchema.parse(draft);
  if (chart.kind !== 'xy') throw new Error('this picture has no axes');
  return chart;
}

const range = (points: readonly (readonly [days: number, price: string | undefined, nav?: string])[]) => {
  const found = gapRange(
    points.map(([days, price, nav = '1']) => ({
      at: at(days),
      navPerShare: decimal(nav),
      ...(price === undefined ? {} : { price: decimal(price) }),
    })),
    'day',
  );
  if (found === undefined) throw new Error('no gap is known');
  return found;
};

test('a premium shows price and NAV/share, and marks the extremes also where they are no end of a day', () => {
  const chart = xy(
    premiumChart(
      range([
        [0, '0.9'],
        [0.2, '0.5'],
        [0.9, '0.95'],
        [1, '1.2'],
        [2, '1.1'],
      ]),
      'TIDE',
    ),
  );
  expect(chart.series.map(({ name, points }) => [name, points.length])).toEqual([
    ['price', 4],
    ['NAV/share', 4],
  ]);
  expect(chart.marks.map(({ name, at: moment, value, side }) => [name, moment, value, side])).toEqual([
    ['low −50.0%', at(0.2), 0.5, 'below'],
    ['high +20.0%', at(1), 1.2, 'above'],
  ]);
  expect(chart).toMatchObject({ gap: true, gapNames: { up: 'above NAV', down: 'below NAV' } });
});

test('a premium that never was one has its high on the side that is turned away from NAV/share too', () => {
  const chart = xy(
    premiumChart(
      range([
        [0, '0.9'],
        [1, '0.7'],
      ]),
      'TIDE',
    ),
  );
  expect(chart.marks.map(({ name, side }) => [name, side])).toEqual([
    ['low −30.0%', 'below'],
    ['high −10.0%', 'below'],
  ]);
});

test('a single point, and a premium without prices, have no picture', () => {
  expect(premiumChart(range([[0, '0.9']]), 'TIDE')).toBeUndefined();
  const reported = gapRange(
    [0, 1].map((days) => ({ at: at(days), premium: decimal('-10') })),
    'day',
  );
  expect(reported && premiumChart(reported, 'TIDE')).toBeUndefined();
});

test('the treasury of a year of hours is thinned out without losing its ends, its lowest and its highest', () => {
  const rows = Array.from({ length: 8_760 }, (_, hour) => ({
    at: instant(START + hour * HOUR),
    value: decimal(hour === 4_321 ? 1 : hour === 5_000 ? 99 : 50 + (hour % 7)),
  }));
  const points = xy(treasuryHistoryChart(rows, 'worth')).series[0]?.points ?? [];
  expect(points.length).toBeLessThanOrEqual(360);
  expect([points[0]?.[0], points.at(-1)?.[0]]).toEqual([rows[0]?.at, rows.at(-1)?.at]);
  expect(points.map(([, value]) => value)).toEqual(expect.arrayContaining([1, 99]));
  expect(points.map(([moment]) => moment)).toEqual(points.map(([moment]) => moment).toSorted((a, b) => a - b));
});

test('thinning keeps a gap a gap, and leaves few points as they are', () => {
  const points = Array.from({ length: 1_000 }, (_, index): ChartPoint => [index, index === 500 ? null : index]);
  expect(thinned(points, 100)).toContainEqual([500, null]);
  expect(thinned(points, 100).length).toBeLessThanOrEqual(100);
  expect(thinned(points.slice(0, 90), 100)).toHaveLength(90);
});

test('an allocation leaves out what has no value, and one part alone is no division', () => {
  const parts = [
    { name: 'USDC', value: decimal('85') },
    { name: 'SOL', value: decimal('15') },
    { name: 'DUST' },
    { name: 'DEBT', value: decimal('-3') },
  ];
  expect(allocationChart(parts, { title: 'all' })).toMatchObject({
    kind: 'shares',
    parts: [
      { name: 'USDC', value: 85 },
      { name: 'SOL', value: 15 },
    ],
  });
  expect(allocationChart(parts.slice(0, 1), { title: 'all' })).toBeUndefined();
});

const event = (id: string, type: string, days: number, amount: string): SupplyEvent => ({
  ...{ id, type, at: at(days), amount: decimal(amount) },
  ...{ supplyAfter: undefined, change: undefined, price: undefined, usd: undefined, signature: undefined, proposal: undefined },
});

test('a supply has its mints above zero and its burns below, summed by the day; without the whole ledger its own changes', () => {
  const rows = [0, 1, 2].map((days) => ({ at: at(days), value: decimal(100 + days) }));
  const events = [
    event('1', 'Mint', 1, '5'),
    event('2', 'Mint', 1.5, '7'),
    event('3', 'Burn', 2, '3'),
    event('4', 'Mint', -3, '9'),
    event('5', 'Moved', 1, '1'),
    event('6', 'Mint', 1, '-4'),
  ];
  const chart = xy(supplyHistoryChart(rows, { title: 'supply', symbol: 'TIDE', events }));
  expect(chart.series.map(({ name, points, axis }) => [name, axis, points])).toEqual([
    [
      'supply',
      'left',
      [
        [at(0), 100],
        [at(1), 101],
        [at(2), 102],
      ],
    ],
    ['minted', 'below', [[at(1), 12]]],
    ['burned', 'below', [[at(2), -3]]],
  ]);
  expect(chart.axisNames).toEqual({ left: 'TIDE', below: 'TIDE minted and burned a day' });
  const partly = xy(supplyHistoryChart(rows, { title: 'supply', symbol: 'TIDE', events: undefined }));
  expect(partly.series[1]).toMatchObject({
    name: 'added',
    points: [
      [at(1), 1],
      [at(2), 1],
    ],
  });
  expect(partly.axisNames?.below).toBe('TIDE added and removed a day');
  expect(xy(supplyHistoryChart(rows, { title: 'supply', symbol: 'TIDE', events: [] })).axisNames).toEqual({ left: 'TIDE' });
});

const metric = (unit: string | undefined, ...days: readonly (readonly [day: string, value: string])[]): GrowthMetric => ({
  ...{ id: 'fees', name: 'Fees', unit, semantics: undefined, broken: 0 },
  days: days.map(([day, value]) => ({ day: daySchema.parse(day), value: decimal(value) })),
});

test('a day without data is a gap and a zero is a zero', () => {
  const days = daysUpTo(daySchema.parse('2026-11-04'), 4);
  const chart = xy(growthChart(metric('usd', ['2026-11-01', '3'], ['2026-11-03', '0'], ['2026-10-01', '7']), days, 'fees'));
  expect(chart.series[0]?.points.map(([, value]) => value)).toEqual([3, null, 0, null]);
  expect(chart.series[0]?.unit).toBe('usd');
  expect(growthChart(metric('usd', ['2026-11-01', '3']), days, 'fees')).toBeUndefined();
});

test('a unit that is none of ours is named beside the axis', () => {
  const days = daysUpTo(daySchema.parse('2026-11-02'), 2);
  const chart = xy(growthChart(metric('SOL', ['2026-11-01', '3'], ['2026-11-02', '4']), days, 'fees'));
  expect(chart.axisNames).toEqual({ left: 'Fees, SOL' });
});

test('where nothing moved a wallet held what it held before', () => {
  const chart = xy(
    tokenFlowChart(
      [
        { at: at(0) },
        { at: at(1), acquired: decimal('5'), reduced: decimal('0'), position: { opening: decimal('10'), closing: decimal('15') } },
        { at: at(2) },
        { at: at(3), reduced: decimal('2'), position: { opening: decimal('15'), closing: decimal('13') } },
      ],
      { title: 'flow', coin: 'ALDR' },
    ),
  );
  expect(chart.series.map(({ name, points }) => [name, points.map(([, value]) => value)])).toEqual([
    ['held', [10, 15, 15, 13]],
    ['in', [5]],
    ['out', [-2]],
  ]);
  expect(tokenFlowChart([{ at: at(0) }, { at: at(1) }], { title: 'flow', coin: 'ALDR' })).toBeUndefined();
});
