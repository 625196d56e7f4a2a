import { expect, test } from 'vitest';
import { DAY, HOUR, instant, later, SECOND } from '../../../src/base/clock.js';
import type { PriorityWindow } from '../../../src/feeds/feed.js';
import { scheduledCheck, fading, weightOf } from '../../../src/jobs/plan/priority.js';

const NOON = instant(Date.UTC(2026, 10, 20, 12));
const market: PriorityWindow = { kind: 'market', decisiveFrom: later(NOON, DAY), endsAt: later(NOON, 3 * DAY) };
const at = (now: number, priorityWindows: readonly PriorityWindow[] = [market], watchers = 1): number =>
  weightOf({ changes: 0, priorityWindows }, { watchers, now: instant(now) });

test('a live market matters more than a sleepy ledger, its TWAP window more still, and its result until it is there', () => {
  expect(at(NOON)).toBeGreaterThan(at(NOON, []));
  expect(at(NOON + DAY)).toBeGreaterThan(at(NOON));
  expect(at(NOON + 3 * DAY + HOUR)).toBe(at(NOON + 2 * DAY));
  expect(at(NOON + 5 * DAY)).toBe(at(NOON, []));
});

test('a window is decisive from its moments on, its end included, and for a day after it', () => {
  const live = at(NOON);
  const moments = [DAY - 1, DAY, 3 * DAY, 4 * DAY, 4 * DAY + 1].map((after) => at(NOON + after));
  const decisive = moments[1] ?? 0;
  expect(moments).toEqual([live, decisive, decisive, decisive, at(NOON, [])]);
  // Without a moment from which it is decisive it is so when its end has come, and without an end it stays live.
  const undated = { kind: 'vesting' } as const;
  const ending = { kind: 'vesting', endsAt: later(NOON, DAY) } as const;
  expect([at(NOON, [ending]), at(NOON + DAY, [ending]), at(NOON + 90 * DAY, [undated])]).toEqual([live, decisive, live]);
  expect(at(NOON + DAY, [undated, ending])).toBe(decisive);
});

test('a launch matters more in its last hours', () => {
  const launch: PriorityWindow = { kind: 'launch', decisiveFrom: later(NOON, DAY - 6 * HOUR), endsAt: later(NOON, DAY) };
  expect(at(NOON + DAY - 7 * HOUR, [launch])).toBeGreaterThan(at(NOON, []));
  expect(at(NOON + DAY - 5 * HOUR, [launch])).toBeGreaterThan(at(NOON + DAY - 7 * HOUR, [launch]));
});

test('the more who watch and the more often it changed, the more it matters', () => {
  expect(at(NOON, [], 8)).toBeGreaterThan(at(NOON, [], 1));
  expect(weightOf({ changes: 5 }, { watchers: 1, now: NOON })).toBeGreaterThan(weightOf({ changes: 1 }, { watchers: 1, now: NOON }));
  expect(weightOf(undefined, { watchers: 1, now: NOON, absent: true })).toBeLessThan(weightOf(undefined, { watchers: 1, now: NOON }) / 50);
});

test('an event counts half after two weeks, and a flood counts as ten', () => {
  expect(fading(undefined, { now: NOON, events: 1 })).toBe(1);
  expect(fading({ changes: 1, okAt: NOON }, { now: later(NOON, 14 * DAY), events: 0 })).toBeCloseTo(0.5);
  expect(fading(undefined, { now: NOON, events: 500 })).toBe(10);
});

test('the next scheduled check is the first known moment that no check has come after', () => {
  expect(scheduledCheck({ priorityWindows: [market], triedAt: NOON })).toBe(NOON + DAY + 30 * SECOND);
  expect(scheduledCheck({ priorityWindows: [market], triedAt: later(NOON, DAY + HOUR) })).toBe(NOON + 3 * DAY + 30 * SECOND);
  expect(scheduledCheck({ priorityWindows: [market], triedAt: later(NOON, 4 * DAY) })).toBeUndefined();
  // Whatever the order of the windows; the half minute after a moment belongs to it.
  const sooner: PriorityWindow = { kind: 'vesting', endsAt: later(NOON, HOUR) };
  expect(scheduledCheck({ priorityWindows: [market, sooner], triedAt: NOON })).toBe(NOON + HOUR + 30 * SECOND);
  expect(scheduledCheck({ priorityWindows: [sooner], triedAt: later(NOON, HOUR + 30 * SECOND - 1) })).toBe(NOON + HOUR + 30 * SECOND);
  expect(scheduledCheck({ priorityWindows: [sooner], triedAt: later(NOON, HOUR + 30 * SECOND) })).toBeUndefined();
  expect([scheduledCheck({ triedAt: NOON }), scheduledCheck({ priorityWindows: [{ kind: 'market' }], triedAt: NOON })]).toEqual([
    undefined,
    undefined,
  ]);
});
