import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaleOf, ticksOf } from '../../src/charts/scale.js';

const value = fc.double({ min: -1e12, max: 1e12, noNaN: true, noDefaultInfinity: true });

test('a scale holds its values with few round steps, whatever they are', () => {
  fc.assert(
    fc.property(value, value, fc.boolean(), (a, b, zero) => {
      const extent = { low: Math.min(a, b), high: Math.max(a, b) };
      const scale = scaleOf(extent, { zero, steps: 4 });
      const slack = (scale.max - scale.min) * 1e-6;
      expect(scale.min).toBeLessThanOrEqual(extent.low + slack);
      expect(scale.max).toBeGreaterThanOrEqual(extent.high - slack);
      const ticks = ticksOf(scale).length;
      expect(ticks).toBeGreaterThanOrEqual(2);
      expect(ticks).toBeLessThanOrEqual(8);
    }),
  );
});

test('a scale of bars begins at zero, and what is counted has whole steps', () => {
  expect(scaleOf({ low: 90, high: 100 }, { zero: true, steps: 4 }).min).toBe(0);
  expect(scaleOf({ low: 0, high: 2 }, { zero: true, steps: 4, whole: true })).toEqual({ min: 0, max: 2, step: 1 });
  expect(scaleOf({ low: 0, high: 10 }, { zero: false, steps: 4, margin: 0.2 }).min).toBe(0);
  expect(scaleOf(undefined, { zero: false, steps: 4 })).toEqual({ min: 0, max: 1, step: 1 });
});
