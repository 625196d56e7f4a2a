import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR, later, MINUTE, SECOND, type Instant } from '../../src/base/clock.js';
import { taskKey, type Task } from '../../src/jobs/wanted-checks.js';
import { CEILING, CONFIRMING_PART, due, interval, refreshKey, sweepKey, UNLISTED_PART_OF_FEW } from '../../src/jobs/plan.js';
import type { SweepFacts } from '../../src/sweeps/sweeps.js';
import { openJobsHarness } from './harness.js';
import {
  supplyOf,
  growthOf,
  listedOf,
  companionsOf,
  projectsList,
  tried,
  dueTasks,
  planned,
  NOON,
  END,
  plan,
  spentOver,
} from './planning.js';
import { runs } from '../support/properties.js';

test('what was never checked is due at once', async () => {
  const harness = await openJobsHarness();
  expect(planned(harness, [supplyOf(harness, 'tide')], NOON)).toEqual(['supply/tide']);
});

test('a check is due again a whole interval after it was last tried, and not a moment earlier', async () => {
  const harness = await openJobsHarness();
  const task = supplyOf(harness, 'tide');
  await tried(harness, task, NOON);
  expect(planned(harness, [task], NOON)).toEqual([]);
  expect(planned(harness, [task], later(NOON, MINUTE - 1))).toEqual([]);
  expect(planned(harness, [task], later(NOON, MINUTE))).toEqual(['supply/tide']);
});

test.each(['limited', 'unreachable', 'timeout'])('a check that failed (%s) is due again after one interval too', async (problem) => {
  const harness = await openJobsHarness();
  const task = supplyOf(harness, 'tide');
  await tried(harness, task, NOON, { okAt: later(NOON, -MINUTE), failures: 1, problem });
  expect(planned(harness, [task], later(NOON, MINUTE - 1))).toEqual([]);
  expect(planned(harness, [task], later(NOON, MINUTE))).toEqual(['supply/tide']);
});

test('under a limit, a check that failed, as in a pause of the service, does not wait for its planned turn', async () => {
  const harness = await openJobsHarness();
  const task = supplyOf(harness, 'tide');
  const cadence = { intervals: new Map([[taskKey(task), 6 * HOUR]]), idle: new Map() };
  const dueAt = async (problem: string, minutes: number) => {
    await tried(harness, task, NOON, { okAt: later(NOON, -MINUTE), failures: 1, problem });
    return dueTasks([task], {
      ...{ checkRecords: harness.checkRecords, pollMinSeconds: 60, cadence },
      now: later(NOON, minutes * MINUTE),
    }).length;
  };
  expect([await dueAt('limited', 14), await dueAt('limited', 15)]).toEqual([0, 1]);
  expect([await dueAt('timeout', 14), await dueAt('timeout', 15)]).toEqual([0, 1]);
  // The service does not have it: it is asked at its own interval.
  expect([await dueAt('unknown', 15), await dueAt('unknown', 360)]).toEqual([0, 1]);
});

test('the moment at which the next check is due is known, and is that of its turn at a start', async () => {
  const harness = await openJobsHarness();
  const [first, second] = [supplyOf(harness, 'tide'), growthOf(harness, 'tide')];
  for (const task of [first, second]) await tried(harness, task, NOON);
  const nextOf = (seconds: number, over = 0) =>
    due([first, second], {
      ...{ checkRecords: harness.checkRecords, pollMinSeconds: 60, now: later(NOON, seconds * SECOND) },
      spread: { from: NOON, over },
    }).next;
  expect(nextOf(0)).toBe(later(NOON, MINUTE));
  expect(nextOf(60)).toBe(later(NOON, 10 * MINUTE));
  expect(nextOf(600)).toBeUndefined();
  expect(nextOf(60, 20 * MINUTE)).toBeGreaterThan(later(NOON, MINUTE));
});

test('checks that are due at a start take turns that are derived from their keys, and all have had one in time', async () => {
  const harness = await openJobsHarness();
  const tasks = Array.from({ length: 100 }, (_, index) => supplyOf(harness, `p${index}`));
  for (const task of tasks.slice(50)) await tried(harness, task, later(NOON, -10 * MINUTE));
  const at = (seconds: number, from = NOON): readonly string[] =>
    dueTasks(tasks, {
      checkRecords: harness.checkRecords,
      pollMinSeconds: 60,
      now: later(NOON, seconds * SECOND),
      spread: { from, over: 5 * SECOND },
    })
      .map(taskKey)
      .toSorted();
  const turns = [0, 1, 2, 3, 4, 5].map((seconds) => at(seconds));
  expect(turns[0]?.length).toBeLessThan(10);
  expect(turns[5]).toEqual(tasks.map(taskKey).toSorted());
  for (const [second, keys] of turns.slice(1).entries()) {
    expect(keys).toEqual(expect.arrayContaining([...(turns[second] ?? [])]));
    expect(keys.length - (turns[second]?.length ?? 0)).toBeLessThan(35);
  }
  expect(at(2)).toEqual(turns[2]);
  // A clock that was set back since the start delays nothing.
  expect(at(0, later(NOON, MINUTE))).toHaveLength(100);
});

test('a feed that wants to be checked every tenth time is', async () => {
  const harness = await openJobsHarness();
  const task = growthOf(harness, 'tide');
  await tried(harness, task, NOON);
  expect(planned(harness, [task], later(NOON, 10 * MINUTE - 1))).toEqual([]);
  expect(planned(harness, [task], later(NOON, 10 * MINUTE))).toEqual(['growth/tide']);
  expect(interval({ every: 10 }, 6)).toBe(MINUTE);
});

test('the longest overdue goes first, whatever its feed', async () => {
  const harness = await openJobsHarness();
  const [early, late, slow] = [supplyOf(harness, 'tide'), supplyOf(harness, 'heron'), growthOf(harness, 'tide')];
  await tried(harness, late, later(NOON, -2 * MINUTE));
  await tried(harness, early, later(NOON, -3 * MINUTE));
  await tried(harness, slow, later(NOON, -20 * MINUTE));
  expect(planned(harness, [late, slow, early], NOON)).toEqual(['growth/tide', 'supply/tide', 'supply/heron']);
});

test('a clock that was set back silences nothing until it has caught up', async () => {
  const harness = await openJobsHarness();
  const task = supplyOf(harness, 'tide');
  await tried(harness, task, later(NOON, 24 * 60 * MINUTE));
  expect(planned(harness, [task], NOON)).toEqual(['supply/tide']);
  await tried(harness, task, NOON);
  expect(planned(harness, [task], later(NOON, SECOND))).toEqual([]);
});

test('a project that the service does not have is asked for ten times less often', async () => {
  const harness = await openJobsHarness();
  const task = supplyOf(harness, 'tide');
  await tried(harness, task, NOON, { failures: 3, problem: 'unknown' });
  expect(planned(harness, [task], later(NOON, 10 * MINUTE - 1))).toEqual([]);
  expect(planned(harness, [task], later(NOON, 10 * MINUTE))).toEqual(['supply/tide']);
});

test('a check that failed otherwise is tried again after the plain interval', async () => {
  const harness = await openJobsHarness();
  const task = supplyOf(harness, 'tide');
  for (const problem of ['unreachable', 'timeout', 'forbidden', 'internal']) {
    await tried(harness, task, NOON, { failures: 1, problem });
    expect(planned(harness, [task], later(NOON, MINUTE - 1))).toEqual([]);
    expect(planned(harness, [task], later(NOON, MINUTE))).toEqual(['supply/tide']);
  }
});

test('a plan that is followed checks everything once in each interval, however late the ticks come', async () => {
  const lateness = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 20, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(lateness, async (ticks) => {
      const harness = await openJobsHarness();
      const tasks = [supplyOf(harness, 'tide'), supplyOf(harness, 'heron'), growthOf(harness, 'tide')];
      const last = new Map<string, Instant>();
      let now = NOON;
      const dueFrom = (task: Task): Instant => {
        const at = last.get(taskKey(task));
        return at === undefined ? NOON : later(at, interval(task.feed, 60));
      };
      for (const seconds of ticks) {
        now = later(now, seconds * SECOND);
        const looked = dueTasks(tasks, { checkRecords: harness.checkRecords, pollMinSeconds: 60, now });
        const early = looked.filter((task) => dueFrom(task) > now);
        for (const task of looked) {
          last.set(taskKey(task), now);
          await tried(harness, task, now);
        }
        const forgotten = tasks.filter((task) => dueFrom(task) <= now);
        expect({ early, forgotten }).toEqual({ early: [], forgotten: [] });
      }
    }),
    { numRuns: runs(30) },
  );
});

test('without a monthly limit everything is checked at the floor', async () => {
  const harness = await openJobsHarness();
  const { intervals, limited } = plan(harness, [supplyOf(harness, 'tide'), growthOf(harness, 'tide')]);
  expect([...intervals]).toEqual([
    ['supply/tide', MINUTE],
    ['growth/tide', 10 * MINUTE],
  ]);
  expect(limited).toBe(false);
});

test('under a limit the checks until its end cost what is left for them, refreshes of wallets at what they really cost', async () => {
  const harness = await openJobsHarness();
  const tasks = Array.from({ length: 31 }, (_, index) => supplyOf(harness, `p${index}`));
  for (const task of tasks) await tried(harness, task, NOON, { okAt: NOON, cost: 2 });
  const refreshes = [{ key: refreshKey('wallet'), cost: 12, floor: 60 * MINUTE, watchers: 1 }];
  const { intervals, costs } = plan(harness, tasks, { left: 1_000, refreshes });
  expect(spentOver(intervals, costs)).toBeCloseTo(1_000, 3);
  const [check = 0, refresh = 0] = [intervals.get('supply/p0'), intervals.get(refreshKey('wallet'))];
  expect(refresh / check).toBeCloseTo(Math.sqrt(12 / 2));
});

test('a project with an open market is checked more often than its neighbours, and one that more chats watch too', async () => {
  const harness = await openJobsHarness();
  const [open, idle, loved] = [supplyOf(harness, 'open'), supplyOf(harness, 'calm'), { ...supplyOf(harness, 'loved'), watchers: 16 }];
  await tried(harness, open, NOON, { priorityWindows: [{ kind: 'market', endsAt: END }] });
  const { intervals } = plan(harness, [open, idle, loved], { left: 100 });
  const every = (name: string): number => intervals.get(`supply/${name}`) ?? Number.NaN;
  expect(every('open')).toBeLessThan(every('loved'));
  expect(every('loved')).toBeLessThan(every('calm'));
});

test('what the service does not have is planned ten times less often at least, and a list of everything more often than one project', async () => {
  const harness = await openJobsHarness();
  const [absent, known] = [supplyOf(harness, 'gone'), supplyOf(harness, 'tide')];
  const wide: Task = { feed: harness.seen.feed({ id: 'launches', scope: 'global' }), subject: 'all' };
  await tried(harness, absent, NOON, { failures: 3, problem: 'unknown' });
  const { intervals, costs, limited } = plan(harness, [absent, known, wide]);
  expect([...intervals.values(), limited]).toEqual([10 * MINUTE, MINUTE, MINUTE, false]);
  expect(new Set([...costs.values()].map((cost) => cost > 0))).toEqual(new Set([true]));
  const tight = plan(harness, [absent, known, wide], { left: 300 });
  const every = (key: string): number => tight.intervals.get(key) ?? Number.NaN;
  expect(every('launches/all')).toBeLessThan(every('supply/tide'));
  expect(every('supply/gone')).toBeGreaterThanOrEqual(9.9 * every('supply/tide'));
  expect(tight.limited).toBe(true);
});

test('when nothing is left for checks nothing is due but what was never checked', async () => {
  const harness = await openJobsHarness();
  const [known, never] = [supplyOf(harness, 'tide'), supplyOf(harness, 'heron')];
  await tried(harness, known, later(NOON, -24 * 60 * MINUTE));
  const now = plan(harness, [known, never], { left: 0 });
  expect(
    dueTasks([known, never], { checkRecords: harness.checkRecords, pollMinSeconds: 60, now: NOON, cadence: now }).map(taskKey),
  ).toEqual(['supply/heron']);
});

test('a moment that is known beforehand is checked when it has come, but not before the floor', async () => {
  const harness = await openJobsHarness();
  const task = supplyOf(harness, 'tide');
  await tried(harness, task, NOON, { priorityWindows: [{ kind: 'market', decisiveFrom: later(NOON, 5 * MINUTE), endsAt: END }] });
  const at = (now: Instant) =>
    dueTasks([task], { checkRecords: harness.checkRecords, pollMinSeconds: 60, now, cadence: plan(harness, [task], { left: 1 }) });
  expect(at(later(NOON, 5 * MINUTE))).toEqual([]);
  expect(at(later(NOON, 5.5 * MINUTE)).map(taskKey)).toEqual(['supply/tide']);
});

test('whatever a list tells, a check is never made before the floor, and a sweep waits no longer than the ceiling', async () => {
  const harness = await openJobsHarness();
  const tasks = Array.from({ length: 12 }, (_, index) => listedOf(harness, `p${index}`));
  for (const task of tasks) await tried(harness, task, NOON, { okAt: NOON, cost: 1, changes: 2 });
  const minutes = fc.integer({ min: 0, max: 20 * 24 * 60 });
  const trusts = fc.array(fc.double({ min: 0, max: 0.98, noNaN: true }), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(
      trusts,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 50_000 }),
      minutes,
      fc.option(minutes),
      (of, cost, left, passed, call) => {
        const sweeps = [projectsList((task) => of[tasks.findIndex((one) => one.subject === task.subject)] ?? 0, cost)];
        const now = plan(harness, tasks, { left, sweeps });
        const callOf = () => (call === null ? undefined : { at: later(NOON, call * MINUTE) });
        const then = later(NOON, passed * MINUTE);
        const due = dueTasks(tasks, { checkRecords: harness.checkRecords, pollMinSeconds: 60, now: then, cadence: now, callOf });
        const isCalled = call !== null && call > 0;
        expect(passed < 1 && due.length > 0).toBe(false);
        expect(isCalled && passed >= 1 && due.length < tasks.length).toBe(false);
        expect(now.intervals.get(sweepKey('projects'))).toBeLessThanOrEqual(CEILING * now.stretch * (1 + 1e-9));
        expect(spentOver(now.intervals, now.costs)).toBeLessThanOrEqual(left * (1 + 1e-9));
      },
    ),
  );
});

test('a check of which a list tells is made seldom, and at once when the list shows a change', async () => {
  const harness = await openJobsHarness();
  const tasks = Array.from({ length: 31 }, (_, index) => listedOf(harness, `p${index}`));
  for (const task of tasks) await tried(harness, task, NOON, { okAt: NOON, cost: 1 });
  const now = plan(harness, tasks, { left: 500, sweeps: [projectsList(() => 0.95)] });
  const bare = plan(harness, tasks, { left: 500 }).intervals.get('supply/p0') ?? 0;
  expect(now.intervals.get('supply/p0')).toBeGreaterThan(2 * bare);
  expect(now.intervals.get(sweepKey('projects'))).toBeLessThan(bare / 2);
  const callOf = (task: Task) => (taskKey(task) === 'supply/p7' ? { at: later(NOON, MINUTE) } : undefined);
  const then = later(NOON, 2 * MINUTE);
  expect(dueTasks(tasks, { checkRecords: harness.checkRecords, pollMinSeconds: 60, now: then, cadence: now, callOf }).map(taskKey)).toEqual(
    ['supply/p7'],
  );
});

test('kinds of which no list tells get a sixth of the requests at most while lists tell of others, and all of them without lists', async () => {
  const harness = await openJobsHarness();
  const listed = Array.from({ length: 10 }, (_, index) => listedOf(harness, `p${index}`));
  const unlisted = Array.from({ length: 40 }, (_, index) => growthOf(harness, `p${index}`));
  for (const task of [...listed, ...unlisted]) await tried(harness, task, NOON, { okAt: NOON, cost: 1 });
  const shareOf = (sweeps: readonly SweepFacts[]) => {
    const { intervals, costs } = plan(harness, [...listed, ...unlisted], { left: 400, sweeps });
    const spent = (prefix: string) => spentOver(new Map([...intervals].filter(([key]) => key.startsWith(prefix))), costs);
    return spent('growth/') / 400;
  };
  expect(shareOf([projectsList(() => 0.9)])).toBeCloseTo(UNLISTED_PART_OF_FEW * (1 - CONFIRMING_PART), 2);
  expect(shareOf([])).toBeGreaterThan(0.7);
});

test('first checks of a small plan are spread over their interval, those that a list calls for are made at once', async () => {
  const harness = await openJobsHarness();
  const tasks = Array.from({ length: 31 }, (_, index) => listedOf(harness, `p${index}`));
  const now = plan(harness, tasks, { left: 400, sweeps: [projectsList(() => 0.5)] });
  const context = { checkRecords: harness.checkRecords, pollMinSeconds: 60, cadence: now, wantedSince: () => NOON };
  expect(dueTasks(tasks, { ...context, now: later(NOON, MINUTE) }).length).toBeLessThan(3);
  const every = now.intervals.get('supply/p0') ?? 0;
  const half = dueTasks(tasks, { ...context, now: later(NOON, every / 2) }).length;
  expect(half).toBeGreaterThan(8);
  expect(half).toBeLessThan(24);
  expect(dueTasks(tasks, { ...context, now: later(NOON, every) })).toHaveLength(31);
  const callOf = (task: Task) => (taskKey(task) === 'supply/p7' ? { at: NOON } : undefined);
  expect(dueTasks(tasks, { ...context, now: NOON, callOf }).map(taskKey)).toContain('supply/p7');
});

test('under a limit a check that reads the same responses as one that was just made is made with it', async () => {
  const harness = await openJobsHarness();
  const [first, second] = companionsOf(harness, 'tide');
  for (const task of [first, second]) await tried(harness, task, NOON, { okAt: NOON });
  const every = new Map([first, second].map((task) => [taskKey(task), 48 * HOUR]));
  const dueAt = (minutes: number, limited = true) =>
    due([first, second], {
      ...{ checkRecords: harness.checkRecords, pollMinSeconds: 60, cadence: { intervals: every, limited } },
      now: later(NOON, minutes * MINUTE),
    }).checks.map(({ task, isCached }) => [taskKey(task), isCached ?? false]);
  expect(dueAt(600)).toEqual([]);
  await tried(harness, first, later(NOON, 600 * MINUTE), { okAt: later(NOON, 600 * MINUTE) });
  expect(dueAt(601)).toEqual([['treasury/tide', true]]);
  expect(dueAt(601, false)).toEqual([]);
  // An hour later its responses are too old.
  expect(dueAt(661)).toEqual([]);
  await tried(harness, second, later(NOON, 601 * MINUTE), { okAt: later(NOON, 601 * MINUTE) });
  expect(dueAt(602)).toEqual([]);
});
