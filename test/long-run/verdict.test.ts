import { expect, test } from 'vitest';
import type { DayMeasured } from './measure.js';
import { slope, verdicts } from './verdict.js';

/** Documents of one collection on each of ninety days. */
const days = (name: string, documents: (day: number) => number, count = 90): readonly DayMeasured[] =>
  Array.from({ length: count }, (_, index) => ({
    day: index + 1,
    collections: { [name]: { documents: Math.round(documents(index)), bytes: 0 } },
    levels: { 'heap, MB': 100 },
    happened: {},
  }));
const kindOf = (name: string, documents: (day: number) => number) =>
  verdicts(days(name, documents))?.find((one) => one.name === `${name}, documents`)?.kind;

test('the slope is that of the line through the values, with what they scatter around it', () => {
  expect(slope([1, 3, 5, 7])).toEqual({ growth: 2, error: 0 });
  expect(slope([5, 5, 5])).toEqual({ growth: 0, error: 0 });
  expect(slope([0, 2, 0, 2]).error).toBeGreaterThan(0);
});

test('what fills for thirty days and stays there is flat, and so is what varies by chance', () => {
  expect(kindOf('event', (day) => Math.min(day, 30) * 100)).toBe('flat');
  expect(kindOf('event', (day) => 3_000 + 200 * Math.sin(day * 7))).toBe('flat');
  expect(kindOf('import', (day) => day % 5)).toBe('flat');
});

test('what goes on growing is found, however slowly', () => {
  expect(kindOf('event', (day) => day * 100)).toBe('grows');
  expect(kindOf('event', (day) => 3_000 + 6 * day)).toBe('grows');
  expect(kindOf('event', (day) => 3_000 + 2 * day)).toBe('flat');
});

test('a level that wanders is flat, and one that grows while it wanders is found', () => {
  const wandering = (day: number): number => 200 * Math.sin(day / 4) + 120 * Math.sin(day / 9);
  expect(kindOf('event', (day) => 3_000 + wandering(day))).toBe('flat');
  expect(kindOf('event', (day) => 3_000 + wandering(day) + 30 * day)).toBe('grows');
});

test('what is kept for longer may fill, but not ever faster', () => {
  expect(kindOf('sources', (day) => day * 100)).toBe('still filling');
  expect(kindOf('sources', (day) => day ** 2)).toBe('grows');
});

test('what follows the lists of the world may grow as slowly as they do', () => {
  expect(kindOf('watermark', (day) => 3_000 + 9 * day)).toBe('grows with the world');
  expect(kindOf('watermark', (day) => day * 100)).toBe('grows');
});

test('a short run is not judged', () => {
  expect(verdicts(days('event', () => 1, 64))).toBeUndefined();
});
