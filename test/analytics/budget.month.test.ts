import fc from 'fast-check';
import { expect, test } from 'vitest';
import { periodNamed, periodOf, callsPerDay, leftForChecks, reservedFor } from '../../src/analytics/budget.js';
import { instant } from '../../src/base/clock.js';

const at = (text: string) => instant(Date.parse(text));

test('a month begins on the reset day, in UTC, to the millisecond', () => {
  expect(periodOf(at('2026-11-14T23:59:59.999Z'), 15)).toEqual({ key: '2026-10-15', start: at('2026-10-15'), end: at('2026-11-15') });
  expect(periodOf(at('2026-11-15T00:00:00Z'), 15)).toEqual({ key: '2026-11-15', start: at('2026-11-15'), end: at('2026-12-15') });
  expect(periodOf(at('2027-01-01T00:00:00Z'), 1)).toEqual({ key: '2027-01', start: at('2027-01-01'), end: at('2027-02-01') });
});

test('every moment lies in its period, and a period is found again by its name', () => {
  const moments = fc.integer({ min: at('2020-01-01'), max: at('2040-01-01') });
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 28 }), (moment, resetDay) => {
      const { key, start, end } = periodOf(instant(moment), resetDay);
      expect(start <= moment && moment < end).toBe(true);
      expect(periodNamed(key)).toEqual({ start, end });
      expect(periodOf(end, resetDay).start).toBe(end);
    }),
  );
});

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

const [start, end] = [instant(0), instant(1_000)];

test('at first a fifth is kept for questions, and what nobody asked for flows to the checks', () => {
  expect(reservedFor({ limit: 500, used: 0, start, end, now: start })).toBe(100);
  expect(leftForChecks({ limit: 500, used: 0, start, end, now: start })).toBe(400);
  expect(leftForChecks({ limit: 500, used: 0, start, end, now: instant(500) })).toBe(450);
  expect(leftForChecks({ limit: 500, used: 0, start, end, now: end })).toBe(500);
});

test('what is kept and what checks may use is together what is left, whatever was used', () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.nat(12_000), fc.nat(1_200), (limit, used, now) => {
      const standing = { limit, used, start, end, now: instant(now) };
      const [reserved, checks] = [reservedFor(standing), leftForChecks(standing)];
      expect(reserved + checks).toBe(Math.max(0, limit - used));
      expect(Math.min(reserved, checks)).toBeGreaterThanOrEqual(0);
    }),
  );
});
