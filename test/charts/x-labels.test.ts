import fc from 'fast-check';
import { expect, test } from 'vitest';
import { momentTicks } from '../../src/charts/x-labels.js';

test('moments are round, in UTC, in order and within the picture', () => {
  const from = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
  fc.assert(
    fc.property(from, fc.integer({ min: 3_600_000, max: 3 * 365 * 86_400_000 }), (begin, length) => {
      const ticks = momentTicks({ from: begin, to: begin + length }, (all) => all.length <= 6);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.map(({ at }) => at)).toEqual(ticks.map(({ at }) => at).toSorted((a, b) => a - b));
      expect(ticks.every(({ at }) => at >= begin && at <= begin + length)).toBe(true);
    }),
  );
  const day = momentTicks({ from: Date.UTC(2026, 10, 19, 12), to: Date.UTC(2026, 10, 20, 12) }, (all) => all.length <= 5);
  expect(day.map(({ text }) => text)).toEqual(['12:00', '18:00', 'Nov 20', '06:00', '12:00']);
});

test('times of day are those of the timezone, longer steps the days of the service', () => {
  const ticks = (days: number) =>
    momentTicks(
      { from: Date.UTC(2026, 10, 19, 12), to: Date.UTC(2026, 10, 19 + days, 12), zone: 'Asia/Kolkata' },
      (all) => all.length <= 5,
    );
  expect(ticks(1).map(({ at, text }) => [new Date(at).toISOString().slice(11, 16), text])).toEqual([
    ['12:30', '18:00'],
    ['18:30', 'Nov 20'],
    ['00:30', '06:00'],
    ['06:30', '12:00'],
  ]);
  expect(ticks(12).every(({ at }) => at % 86_400_000 === 0)).toBe(true);
});
