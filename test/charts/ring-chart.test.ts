import { expect, test } from 'vitest';
import { slicesOf } from '../../src/charts/ring-chart.js';

test('a ring has at most six parts, the smaller ones together, and its shares are all of it', () => {
  const parts = [5, 30, 1, 40, 2, 12, 10, -4, 0].map((size, index) => ({ name: `p${index}`, value: size }));
  const slices = slicesOf(parts);
  expect(slices.map(({ name, value: size }) => [name, size])).toEqual([
    ['p3', 40],
    ['p1', 30],
    ['p5', 12],
    ['p6', 10],
    ['p0', 5],
    ['2 others', 3],
  ]);
  expect(slices.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(100);
});
