import { expect, test } from 'vitest';
import { chartSchema, downsampled, type ChartDraft } from '../../src/chat/chart.js';
import { reply } from '../../src/chat/reply.js';

type Series = Extract<ChartDraft, { kind: 'xy' }>['series'][number];
const line = (points: Series['points']): Series => ({ name: 'a', draw: 'line', unit: 'usd', points });
const wave = (count: number, at: (place: number) => number | null = (place) => Math.sin(place)): [number, number | null][] =>
  Array.from({ length: count }, (_, place) => [place, at(place)]);
const pointsOf = (...series: readonly Series[]) => {
  const { chart } = reply({ finding: ['x'], chart: { kind: 'xy', title: 't', series } });
  return chart?.kind === 'xy' ? chart.series.map(({ points }) => points) : [];
};

test('a reply carries no more points than its picture has pixels, with both ends, the extremes and the gaps', () => {
  const [points = []] = pointsOf(
    line(wave(20_000, (place) => (place === 7_777 ? 99 : place === 12_345 ? -99 : place === 15_000 ? null : 1))),
  );
  expect(points.length).toBeLessThanOrEqual(1_603);
  expect(points).toEqual(points.toSorted(([a], [b]) => a - b));
  for (const point of [
    [0, 1],
    [7_777, 99],
    [12_345, -99],
    [15_000, null],
    [19_999, 1],
  ])
    expect(points).toContainEqual(point);
});

test('series on the same moments keep the same moments, and a short one keeps all', () => {
  const [a = [], b = [], short = []] = pointsOf(line(wave(20_000)), line(wave(20_000, (place) => Math.cos(place * 3))), line(wave(30)));
  expect(a.map(([at]) => at)).toEqual(b.map(([at]) => at));
  expect(a.length).toBeLessThanOrEqual(1_602);
  expect(short).toHaveLength(30);
});

test('a picture that has no more points than pixels is left as it is', () => {
  const chart: ChartDraft = { kind: 'xy', title: 't', series: [line(wave(1_600))] };
  expect(downsampled(chart)).toBe(chart);
});

test.each([
  ['a third value', [1, 2, 3]],
  ['no moment', [Number.NaN, 1]],
  ['a value without end', [1, Number.POSITIVE_INFINITY]],
  ['a text', [1, '2']],
  ['no pair', 1],
])('a point with %s is refused, and a gap is not', (_, point) => {
  const chart = (points: readonly unknown[]) => ({ kind: 'xy', title: 't', series: [{ name: 's', draw: 'line', unit: 'usd', points }] });
  expect(chartSchema.safeParse(chart([[1, null], point])).success).toBe(false);
  expect(chartSchema.safeParse(chart([[1, null]])).success).toBe(true);
});
