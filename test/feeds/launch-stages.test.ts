import { expect, test } from 'vitest';
import { HOUR, later } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { endOf, reachedStages, type TrackedLaunch } from '../../src/feeds/launch-stages.js';
import { NOON } from './reading.js';

const launch = (extra: Partial<TrackedLaunch>): TrackedLaunch => ({
  address: 'HER0',
  state: 'live',
  startedAt: NOON,
  runsFor: 48 * HOUR,
  ...extra,
});
const stagesAt = (hours: number, extra: Partial<TrackedLaunch>) =>
  reachedStages(launch(extra), later(NOON, hours * HOUR)).map(({ stage, at }) => [
    stage,
    at === undefined ? undefined : (at - NOON) / HOUR,
  ]);

test('a launch is "ending" in its last six hours, while it is live', () => {
  expect([41, 42, 47, 48].map((hours) => stagesAt(hours, {}).at(-1))).toEqual([
    ['live', 0],
    ['ending', 42],
    ['ending', 42],
    ['live', 0],
  ]);
  expect(stagesAt(45, { state: 'Complete' })).toEqual([
    ['live', 0],
    ['complete', undefined],
  ]);
  expect(stagesAt(45, { runsFor: undefined })).toEqual([['live', 0]]);
});

test('its close is dated by its end once that is past: it may have closed before', () => {
  const closed = (hours: number, extra: Partial<TrackedLaunch> = {}) => stagesAt(hours, { state: 'closed', ...extra }).at(-1);
  expect([closed(47), closed(48), closed(60), closed(60, { startedAt: undefined })]).toEqual([
    ['closed', undefined],
    ['closed', 48],
    ['closed', 48],
    ['closed', undefined],
  ]);
});

test('without its start or its length a launch has no known end', () => {
  expect([endOf(launch({})), endOf(launch({ startedAt: undefined })), endOf(launch({ runsFor: undefined })), endOf({})]).toEqual([
    later(NOON, 48 * HOUR),
    undefined,
    undefined,
    undefined,
  ]);
});

test('the minimum is reached by as much, in any state, and unknown or zero minimums are not', () => {
  const isReached = (committed: string | undefined, minimum: string | undefined) =>
    stagesAt(1, {
      ...(committed === undefined ? {} : { committed: decimal(committed) }),
      ...(minimum === undefined ? {} : { minimum: decimal(minimum) }),
    }).some(([stage]) => stage === 'minimum');
  expect([isReached('100', '100'), isReached('101', '100'), isReached('99', '100')]).toEqual([true, true, false]);
  expect([isReached(undefined, '100'), isReached('100', undefined), isReached('0', '0')]).toEqual([false, false, false]);
});

test('one that has not begun is new, unless it is among those that ended', () => {
  expect([stagesAt(1, { state: 'initialized' }), stagesAt(1, { state: undefined, ended: { at: NOON } })]).toEqual([
    [['new', undefined]],
    [['graveyard', 0]],
  ]);
});
