import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from '../../src/base/clock.js';
import { periodNamed, periodOf } from '../../src/analytics/billing-month.js';

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
