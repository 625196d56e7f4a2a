import { expect, test } from 'vitest';
import { DAY, HOUR, instant, later, MINUTE } from '../../src/base/clock.js';
import { CheckPace } from '../../src/jobs/pace.js';

const NOON = instant(Date.UTC(2026, 10, 20, 12));
const budgetOf = (used: number, more = {}) => ({ used, limit: 5_000, forChecks: 4_000 - used, resetsAt: later(NOON, 10 * DAY), ...more });

test('an hour may spend a fortieth of what is left for checks, and as much again on what lists call for', () => {
  const pace = new CheckPace();
  expect(pace.left(budgetOf(0), NOON)).toBe(100);
  const spent = later(NOON, 10 * MINUTE);
  expect(pace.left(budgetOf(90), spent)).toBeCloseTo(7.75);
  expect(pace.left(budgetOf(90), spent, true)).toBeCloseTo(105.5);
  expect(pace.left(budgetOf(90), later(NOON, 2 * HOUR))).toBeCloseTo(97.75);
});

test('questions do not count, a small plan may spend fifteen in an hour, and no more than is left', () => {
  const pace = new CheckPace();
  const small = (used: number, questions: number, forChecks: number) => ({ ...budgetOf(used), limit: 500, forChecks, questions });
  expect(pace.left(small(0, 0, 400), NOON)).toBe(15);
  expect(pace.left(small(30, 30, 380), later(NOON, MINUTE))).toBe(15);
  expect(pace.left(small(40, 30, 370), later(NOON, 2 * MINUTE))).toBe(5);
  expect(new CheckPace().left(small(490, 0, 3), NOON)).toBe(3);
});

test('a new month, a clock that is set back and a plan without a limit leave nothing over from before', () => {
  const pace = new CheckPace();
  pace.left(budgetOf(1_000), NOON);
  expect(pace.left(budgetOf(0), later(NOON, MINUTE))).toBe(100);
  expect(pace.left(budgetOf(90), later(NOON, -HOUR))).toBeCloseTo(97.75);
  expect(pace.left({ used: 7, resetsAt: NOON }, NOON)).toBe(Number.POSITIVE_INFINITY);
});

test('what confirmations took lately is expected to go on, and is forgotten over weeks', () => {
  const pace = new CheckPace();
  expect(pace.confirming(NOON, 2)).toBe(2);
  pace.confirmed(7 * DAY, NOON);
  expect(pace.confirming(NOON, 2)).toBe(3);
  expect(pace.confirming(later(NOON, 28 * DAY), 2)).toBeLessThan(0.1);
});
