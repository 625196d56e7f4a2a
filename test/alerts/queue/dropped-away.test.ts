/** What a chat did not keep in an absence is counted once, as long as it is young enough. */
import { expect, test } from 'vitest';
import { droppedAfter, droppedSince, withDropped, type DroppedAway } from '../../../src/alerts/queue/dropped-away.js';
import { HOUR, later } from '../../../src/base/clock.js';
import { NOON } from '../../feeds/reading.js';

const at = (hours: number) => later(NOON, hours * HOUR);
const dropped = (kept: DroppedAway | undefined, hours: number, ...queued: readonly number[]): DroppedAway =>
  withDropped(
    kept,
    queued.map((hour) => ({ event: `supply/tide/${hour}`, entry: 'tide', queuedAt: at(hour) })),
    at(hours),
  );

test('it is counted while the newest of what was dropped together may still be alerted', () => {
  const kept = dropped(dropped(undefined, 5, 1, 2, 3), 9, 4, 6);
  expect(kept).toEqual([
    { at: at(5), newest: at(3), count: 3 },
    { at: at(9), newest: at(6), count: 2 },
  ]);
  expect([3, 4, 6, 7].map((hour) => droppedSince(kept, at(hour)))).toEqual([5, 2, 2, 0]);
  expect(droppedSince(undefined, at(0))).toBe(0);
});

test('a message has counted what was dropped until it was composed', () => {
  const kept = dropped(dropped(undefined, 5, 1), 9, 6);
  expect([4, 5, 9].map((hour) => droppedAfter(kept, at(hour))?.length)).toEqual([2, 1, undefined]);
  expect(droppedAfter(undefined, at(5))).toBeUndefined();
});

test('of a long absence it keeps a hundred counts, and loses none', () => {
  const kept = Array.from({ length: 250 }, (_, hour) => hour).reduce<DroppedAway>((all, hour) => dropped(all, hour, hour, hour), []);
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([
    100,
    { at: at(150), newest: at(150), count: 302 },
    { at: at(249), newest: at(249), count: 2 },
  ]);
  expect(droppedSince(kept, at(0))).toBe(500);
});
