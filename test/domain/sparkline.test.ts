import { expect, test } from 'vitest';
import { HOUR, later } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { sparkline } from '../../src/domain/sparkline.js';
import { NOON } from '../feeds/reading.js';

const points = (...values: readonly number[]) => values.map((value, hour) => ({ at: later(NOON, hour * HOUR), value: decimal(value) }));

test('a course is drawn from its lowest to its highest value, in steps of time', () => {
  expect(sparkline(points(0, 1, 2, 3, 4), { until: later(NOON, 4 * HOUR), width: 4 })).toBe('▃▅▇█');
  expect(sparkline(points(2, -2, 2), { until: later(NOON, 4 * HOUR), width: 4 })).toBe('▁███');
});

test('a value holds until the next one, and one that never changes is in the middle', () => {
  expect(sparkline(points(5, 5, 5), { until: later(NOON, 4 * HOUR), width: 4 })).toBe('▅▅▅▅');
});

test('fewer than three values show no course', () => {
  expect(sparkline(points(1, 2), { until: later(NOON, HOUR) })).toBeUndefined();
});
