/** What a check says about itself: to the metrics, to its record, and which queues and responses it needs. */
import { expect, test } from 'vitest';
import { HOUR, later, MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { FEEDS } from '../../src/feeds/index.js';
import { readsQueues, type PollContext } from '../../src/jobs/check.js';
import { poll } from '../../src/jobs/poll.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { TIDE } from '../alerts/harness.js';
import { openJobsHarness } from './harness.js';
import { project, trouble } from './fake-service.js';

const openPost = async () => {
  const harness = await openJobsHarness();
  await harness.watch(TIDE);
  const task: Task = { feed: harness.seen.feed(), subject: project('tide') };
  const check = async (extra: Partial<PollContext> = {}, parts: Partial<Task> = {}) =>
    poll({ ...task, ...parts }, { ...harness.poll, ...extra });
  return { ...harness, task, check, record: () => harness.checkRecords.read('supply', 'tide') };
};

test('every check is counted by how it ended: answered, not there, or failed', async () => {
  const { seen, check } = await openPost();
  const outcomes: unknown[] = [];
  const checked: PollContext['checked'] = (one) => outcomes.push(one);
  await check({ checked });
  seen.fails(trouble('unknown'));
  await check({ checked });
  seen.fails(trouble('unreachable'));
  await check({ checked });
  expect(outcomes).toEqual(['ok', 'absent', 'failed'].map((outcome) => ({ feed: 'supply', outcome })));
});

test('what a check costs is that of the first, and moves by three tenths towards each later one', async () => {
  const { check, record, task } = await openPost();
  const costing = (calls: number): Task['feed'] => ({
    ...task.feed,
    check: async (subject, watermark, context) => {
      for (let call = 0; call < calls; call += 1) context.options.meter?.count();
      return task.feed.check(subject, watermark, context);
    },
  });
  const costs: (number | undefined)[] = [];
  for (const calls of [10, 20, 0]) {
    await check({}, { feed: costing(calls) });
    costs.push(record()?.cost);
  }
  expect(costs.map((cost) => Number(cost?.toFixed(3)))).toEqual([10, 13, 9.1]);
});

test('a check that was called for uses no response from before the call, and a rare one an older response', async () => {
  const { check, seen, clock } = await openPost();
  const maxAge = async (parts: Partial<Task>) => {
    await check({}, parts);
    return seen.asked.at(-1)?.options.maxAge;
  };
  expect([await maxAge({}), await maxAge({ every: 80 * MINUTE }), await maxAge({ every: 24 * HOUR })]).toEqual([
    MINUTE / 2,
    10 * MINUTE,
    HOUR,
  ]);
  expect(await maxAge({ notOlderThan: later(clock.now(), -10_000) })).toBe(10_001);
  expect(await maxAge({ notOlderThan: later(clock.now(), -HOUR) })).toBe(MINUTE / 2);
});

test('a failed first check is recorded as incomplete, and one after a good check as what that was', async () => {
  const { check, seen, record } = await openPost();
  seen.fails(trouble('unreachable'));
  await check();
  expect(record()).toMatchObject({ complete: false, hidden: 0, broken: 0 });
  seen.fails(undefined);
  seen.blurs({ hidden: 2, broken: 1, complete: true });
  await check();
  seen.fails(trouble('unreachable'));
  await check();
  expect(record()).toMatchObject({ complete: true, hidden: 2, broken: 1, failures: 1 });
});

test('checks of kinds with live messages wait for the queues, and no others', () => {
  const waiting = FEEDS.filter(readsQueues).map(({ id }) => id);
  expect(waiting.toSorted()).toEqual(['launches', 'proposals']);
});

test('the absence that a check left out is named from the first moment that nothing was checked, and stays known while checks fail', async () => {
  const { check, clock, record, watchlists, watch, seen } = await openPost();
  await check();
  const okAt = clock.now();
  await clock.advance(5 * MINUTE);
  const other = address('console', 'other');
  await watch(TIDE, {}, other);
  const absence = { from: later(okAt, MINUTE), to: clock.now() };
  await watchlists.change(other, (chat) => ({ ...chat, absence }));
  await check();
  expect(record()?.gap).toEqual({ from: absence.from, to: clock.now() });
  const gap = record()?.gap;
  seen.fails(trouble('unreachable'));
  await check();
  expect(record()?.gap).toEqual(gap);
});

test('an absence in which the check was not due, or which began before the last good check, leaves nothing out', async () => {
  const { check, clock, record, watchlists, watch } = await openPost();
  await check();
  const okAt = clock.now();
  const other = address('console', 'other');
  await watch(TIDE, {}, other);
  const leave = async (from: typeof okAt) => {
    await watchlists.change(other, (chat) => ({ ...chat, absence: { from, to: clock.now() } }));
    await check();
    return record()?.gap;
  };
  await clock.advance(MINUTE - 1);
  expect(await leave(later(okAt, 10))).toBeUndefined();
  const again = clock.now();
  await clock.advance(5 * MINUTE);
  expect(await leave(later(again, -1))).toBeUndefined();
});
