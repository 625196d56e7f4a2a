import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from '../../src/base/clock.js';
import { leftForChecks, reservedFor } from '../../src/analytics/billing-month.js';

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
