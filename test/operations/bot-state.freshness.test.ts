import { expect, test } from 'vitest';
import { HOUR, MINUTE, instant } from '../../src/base/clock.js';
import { feedFreshness } from '../../src/operations/bot-state.js';

const NOW = instant(1_800_000_000_000);
const ago = (ms: number) => instant(NOW - ms);
const check = { triedAt: NOW, failures: 0, hidden: 0, broken: 0, complete: true };
const feeds = [{ id: 'supply' }];
const of = (records: readonly object[], every: number, startedAt = ago(9 * HOUR)) =>
  feedFreshness({
    feeds,
    records: records.map((record) => ({ ...check, feed: 'supply', subject: 'tide', ...record })),
    intervals: new Map([
      ['supply/tide', every],
      ['supply/heron', every],
    ]),
    startedAt,
    now: NOW,
  })[0];

test('a feed is as old as the subject that waited longest', () => {
  const [tide, heron] = [{ okAt: ago(MINUTE) }, { subject: 'heron', okAt: ago(3 * MINUTE) }];
  expect(of([tide, heron], 2 * MINUTE)).toEqual({ id: 'supply', goodAt: ago(3 * MINUTE), every: 2 * MINUTE, staleSince: undefined });
});

test('it is stale after three intervals and ten minutes, whatever the interval', () => {
  expect(of([{ okAt: ago(16 * MINUTE) }], 2 * MINUTE)?.staleSince).toBeUndefined();
  expect(of([{ okAt: ago(16 * MINUTE + 1) }], 2 * MINUTE)?.staleSince).toBe(ago(16 * MINUTE + 1));
  expect(of([{ okAt: ago(8 * HOUR) }], 6 * HOUR)?.staleSince).toBeUndefined();
});

test('a subject that never had a good check counts from its first failure', () => {
  expect(of([{ failures: 9, failingSince: ago(HOUR) }], MINUTE)?.staleSince).toBe(ago(HOUR));
});

test('the time in which the bot was stopped does not count', () => {
  expect(of([{ okAt: ago(8 * HOUR) }], MINUTE, ago(MINUTE))?.staleSince).toBeUndefined();
});

test('what nobody watches, what the service does not have and a spent budget are not stale', () => {
  expect(of([{ subject: 'gone', okAt: ago(8 * HOUR) }], MINUTE)).toEqual({ id: 'supply' });
  expect(of([{ okAt: ago(8 * HOUR), failures: 3, problem: 'unknown' }], MINUTE)).toEqual({ id: 'supply' });
  expect(of([{ okAt: ago(8 * HOUR) }], Infinity)?.staleSince).toBeUndefined();
});
