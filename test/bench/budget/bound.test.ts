import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/base/clock.js';
import { leastMeanAge } from './bound.js';

const MONTH = 30 * DAY;
const input = { confirmations: 0, lasts: MONTH, floor: MINUTE };

test('one list of one page is half as old on average as the requests are apart', () => {
  expect(leastMeanAge({ ...input, requests: 720, sweeps: [{ calls: 1, weight: 5 }] })).toBeCloseTo(HOUR / 2);
  expect(leastMeanAge({ ...input, requests: 720, sweeps: [{ calls: 3, weight: 5 }] })).toBeCloseTo(1.5 * HOUR);
});

test('confirmations leave fewer requests for the list, or none', () => {
  expect(leastMeanAge({ ...input, requests: 820, confirmations: 100, sweeps: [{ calls: 1, weight: 1 }] })).toBeCloseTo(HOUR / 2);
  expect(leastMeanAge({ ...input, requests: 100, confirmations: 100, sweeps: [{ calls: 1, weight: 1 }] })).toBeUndefined();
});

test('four times the weight is read twice as often, which no other division of the requests beats', () => {
  const sweeps = [
    { calls: 1, weight: 4 },
    { calls: 1, weight: 1 },
  ];
  const least = leastMeanAge({ ...input, requests: 720, sweeps }) ?? 0;
  const dividedAt = (part: number): number => (4 * (HOUR / part) + HOUR / (1 - part)) / 2 / 5;
  expect(least).toBeCloseTo(dividedAt(2 / 3));
  for (const part of [0.3, 0.5, 0.6, 0.7, 0.9]) expect(dividedAt(part)).toBeGreaterThan(least);
});

test('nothing is read more often than the floor, and what that saves goes to the rest', () => {
  const heavy = { calls: 1, weight: 1e9 };
  const light = { calls: 1, weight: 1 };
  const requests = MONTH / MINUTE + MONTH / HOUR;
  const mean = leastMeanAge({ ...input, requests, sweeps: [heavy, light] }) ?? 0;
  expect(mean * (heavy.weight + light.weight)).toBeCloseTo((heavy.weight * MINUTE + light.weight * HOUR) / 2, 0);
  expect(leastMeanAge({ ...input, requests: 1e9, sweeps: [light] })).toBe(MINUTE / 2);
});
