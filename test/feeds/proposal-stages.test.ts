import { expect, test } from 'vitest';
import { EMPTY_PROPOSAL, type ProposalRow } from '../../src/analytics/endpoints/proposals.js';
import { HOUR, later, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { noticeFrom, reached } from '../../src/feeds/proposal-stages.js';
import { NOON } from './reading.js';

const hour = (hours: number): Instant => later(NOON, hours * HOUR);
const stagesAt = (now: Instant, extra: Partial<ProposalRow>) =>
  reached({ ...EMPTY_PROPOSAL, createdAt: NOON, startsAt: hour(2), ...extra }, now).map(({ stage, at }) => [
    stage,
    at === undefined ? undefined : (at - NOON) / HOUR,
  ]);
const live = { status: 'live', twapStartsAt: hour(10), endsAt: hour(22) };

test('a market is "ending" in the last quarter of its time, for twelve hours at most', () => {
  expect([noticeFrom(NOON, hour(20)), noticeFrom(NOON, hour(48)), noticeFrom(NOON, hour(480)), noticeFrom(undefined, hour(20))]).toEqual([
    hour(15),
    hour(36),
    hour(468),
    hour(8),
  ]);
});

test('the TWAP window and the end are stages from their moment on, and "ending" not after the end', () => {
  const stages = (now: number) => stagesAt(hour(now), live).map(([stage]) => stage);
  expect([9.9, 10, 16.9, 17, 21.9, 22].map((now) => stages(now).slice(2))).toEqual([
    [],
    ['twap'],
    ['twap'],
    ['twap', 'ending'],
    ['twap', 'ending'],
    ['twap'],
  ]);
  expect(stagesAt(hour(9), { status: 'live', twapStartsAt: undefined, endsAt: undefined })).toEqual([
    ['created', 0],
    ['live', 2],
  ]);
});

test('a result is dated by the planned end once that is past: it may have come before it', () => {
  const resultAt = (now: number, endsAt: Instant | undefined) =>
    stagesAt(hour(now), { status: 'resolved', result: 'passed', endsAt }).at(-1);
  expect([resultAt(22, hour(22)), resultAt(21, hour(22)), resultAt(30, undefined)]).toEqual([
    ['passed', 22],
    ['passed', undefined],
    ['passed', undefined],
  ]);
});

test('what was decided was live if it had begun, what was removed only if it was traded, and a draft never was', () => {
  const stages = (extra: Partial<ProposalRow>, now = 5) => stagesAt(hour(now), extra).map(([stage]) => stage);
  const failed = { status: 'failed' };
  expect([stages(failed), stages(failed, 2), stages(failed, 1)]).toEqual([
    ['created', 'live', 'failed'],
    ['created', 'live', 'failed'],
    ['created', 'failed'],
  ]);
  expect(stages({ ...failed, startsAt: undefined })).toEqual(['created', 'failed']);
  expect(stages({ status: 'removed', trades: 1 })).toEqual(['created', 'live', 'removed']);
  expect(stages({ status: 'removed', volume: decimal('12.5') })).toEqual(['created', 'live', 'removed']);
  for (const trading of [{}, { trades: 0 }, { volume: decimal('0') }, { trades: 1, startsAt: undefined }])
    expect(stages({ status: 'removed', ...trading })).toEqual(['created', 'removed']);
  expect(stages({ status: 'draft' })).toEqual(['created']);
  expect(stagesAt(NOON, { status: 'live', createdAt: undefined })).toEqual([
    ['created', 2],
    ['live', 2],
  ]);
});
