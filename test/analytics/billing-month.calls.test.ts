import { expect, test } from 'vitest';
import { callsPerDay } from '../../src/analytics/billing-month.js';
import { instant } from '../../src/base/clock.js';

const at = (iso: string) => instant(Date.parse(iso));

test('the rate covers the last three whole days and today', () => {
  const days = { '2026-11-01': 500, '2026-11-20': 10, '2026-11-21': 20, '2026-11-22': 30, '2026-11-23': 10 };
  expect(callsPerDay(days, at('2026-11-23T12:00:00Z'))).toBeCloseTo(70 / 3.5);
});

test('it counts from the first day with requests, so that a bot that has just begun is not taken for idle', () => {
  expect(callsPerDay({ '2026-11-22': 30, '2026-11-23': 10 }, at('2026-11-23T12:00:00Z'))).toBeCloseTo(40 / 1.5);
});

test('less than half a day says nothing', () => {
  expect(callsPerDay({ '2026-11-23': 10 }, at('2026-11-23T11:59:00Z'))).toBeUndefined();
  expect(callsPerDay({}, at('2026-11-23T12:00:00Z'))).toBeUndefined();
});

test('days of the future, from a clock that was set back, do not count', () => {
  expect(callsPerDay({ '2026-11-22': 30, '2027-01-01': 1000 }, at('2026-11-23T00:00:00Z'))).toBeCloseTo(30);
});
