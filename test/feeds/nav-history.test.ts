import { expect, test } from 'vitest';
import { AnalyticsError, type Trouble } from '../../src/analytics/errors.js';
import type { Analytics } from '../../src/analytics/analytics.js';
import { DAY, HOUR, later, type Instant } from '../../src/base/clock.js';
import { navHistory } from '../../src/feeds/nav-history.js';
import { answerPage, connect, serve } from '../support/service.js';
import { hastyClock, NOBODY, NOON, TIDE } from './reading.js';

const failing = (failure: () => Error | undefined) => {
  let calls = 0;
  const analytics: Analytics = {
    ...NOBODY,
    call: async () => {
      calls += 1;
      return Promise.reject(failure() ?? new Error('unexpected'));
    },
  };
  return { calls: () => calls, read: async (now: Instant) => (await navHistory(TIDE.slug, { analytics, options: {}, now })).past };
};
const trouble = (kind: Trouble) => new AnalyticsError({ trouble: kind, row: 'nav', detail: kind });

test('a chart that the plan or the service refuses is asked for once a day, and one that could not be had at the next check', async () => {
  for (const kind of ['forbidden', 'unknown', 'rejected', 'malformed'] as const) {
    const { read, calls } = failing(() => trouble(kind));
    expect(await read(NOON)).toEqual([]);
    expect(await read(later(NOON, DAY - 1))).toEqual([]);
    expect(calls()).toBe(1);
    await read(later(NOON, DAY));
    expect(calls()).toBe(2);
  }
  const { read, calls } = failing(() => trouble('unreachable'));
  expect([await read(NOON), await read(NOON)]).toEqual([[], []]);
  expect(calls()).toBe(2);
});

test('a mistake of ours is no missing chart', async () => {
  await expect(failing(() => undefined).read(NOON)).rejects.toThrow('unexpected');
});

test('each day is its last point, oldest first, with NAV from exact enough shares; points that say nothing are left out', async () => {
  const at = (hours: number): string => new Date(NOON + hours * HOUR).toISOString();
  const rows = [
    { timestamp: at(24), premium: '-5' },
    { timestamp: at(2), spotPrice: '0.9', navPerShare: '1.001', adjustedSupply: '1000' },
    { timestamp: at(0), spotPrice: '0.8', navPerShare: '1.001', adjustedSupply: '1000' },
    { timestamp: at(48), spotPrice: '0.8' },
    { timestamp: at(49), navPerShare: '1.001' },
    { spotPrice: '0.8', navPerShare: '1.001' },
    { timestamp: at(72), spotPrice: '0.9', navPerShare: '0.01', adjustedSupply: '1000' },
    { timestamp: at(96), spotPrice: '0.9', navPerShare: '0.001001', adjustedSupply: '1000' },
    { timestamp: at(120), spotPrice: '0.9', navPerShare: '1.001' },
  ];
  const service = await serve((asked) => answerPage(asked, rows));
  const { analytics } = await connect(service.url, { clock: hastyClock() });
  const { past: points } = await navHistory(TIDE.slug, { analytics, options: {}, now: NOON });
  expect(points.map((point) => [(point.at - NOON) / HOUR, point.price, point.premium, point.nav])).toEqual([
    [2, '0.9', undefined, '1001'],
    [24, undefined, '-5', undefined],
    [72, '0.9', undefined, undefined],
    [96, '0.9', undefined, '1.001'],
    [120, '0.9', undefined, undefined],
  ]);
});
