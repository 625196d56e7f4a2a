import { expect, test } from 'vitest';
import { backoff, jittered } from '../../src/base/backoff.js';

test('a wait doubles with each failure in a row, to the most', () => {
  const waits = [1, 2, 3, 4, 5].map((failures) => backoff({ first: 10, most: 60 }, failures));
  expect(waits).toEqual([10, 20, 40, 60, 60]);
});

test('before a failure, and after thousands, a wait is still a number', () => {
  expect([0, 100_000].map((failures) => backoff({ first: 10, most: 60 }, failures))).toEqual([10, 60]);
});

test('what failed together is tried again after half of the wait to all of it', () => {
  expect([0, 0.5, 1].map((random) => jittered(60, random))).toEqual([30, 45, 60]);
});
