/** What brings a check forward or puts it off: a chat that came back, a date, a sweep. */
import { describe, expect, test } from 'vitest';
import { later, MINUTE, type Instant } from '../../src/base/clock.js';
import { type Task } from '../../src/jobs/wanted-checks.js';
import { subjectKey } from '../../src/feeds/feed.js';
import { due, sweepKey } from '../../src/jobs/plan.js';
import { openJobsHarness } from './harness.js';
import { supplyOf, growthOf, listedOf, projectsList, tried, dueTasks, planned, NOON, plan, spentOver } from './planning.js';

describe('a chat that came back', () => {
  const of = async ({ returnedAt, triedAt }: { readonly returnedAt: Instant | undefined; readonly triedAt: Instant | undefined }) => {
    const harness = await openJobsHarness();
    const task: Task = { ...growthOf(harness, 'tide'), returnedAt };
    if (triedAt !== undefined) await tried(harness, task, triedAt);
    const { checkRecords } = harness;
    return (now: Instant) => due([task], { checkRecords, pollMinSeconds: 60, now, callOf: () => ({ at: NOON }) });
  };

  test('brings its check forward: to its return, but not before a quarter of the interval, and as a first check', async () => {
    const harness = await openJobsHarness();
    const task: Task = { ...growthOf(harness, 'tide'), returnedAt: later(NOON, MINUTE) };
    await tried(harness, task, NOON);
    const cadenceOf = (every: number) => ({ intervals: new Map([['growth/tide', every]]) });
    const nextOf = (every: number) =>
      due([task], { checkRecords: harness.checkRecords, pollMinSeconds: 6, now: later(NOON, 1), cadence: cadenceOf(every) }).next;
    // At the floor of a minute; at a quarter of an hour's interval; and never later than planned.
    expect([nextOf(2 * MINUTE), nextOf(60 * MINUTE)]).toEqual([later(NOON, MINUTE), later(NOON, 15 * MINUTE)]);
  });

  test('is answered by a check that uses no response from before its return', async () => {
    const at = await of({ returnedAt: later(NOON, MINUTE), triedAt: NOON });
    const [check] = at(later(NOON, 10 * MINUTE)).checks;
    expect(check).toMatchObject({ isFirst: true, neverRan: false, task: { notOlderThan: later(NOON, MINUTE) } });
  });

  test('and that a list calls for later is answered by a check that uses no response from before the list', async () => {
    const harness = await openJobsHarness();
    const task: Task = { ...growthOf(harness, 'tide'), returnedAt: later(NOON, MINUTE) };
    await tried(harness, task, NOON);
    const { checkRecords } = harness;
    const called = later(NOON, 8 * MINUTE);
    const { checks } = due([task], { checkRecords, pollMinSeconds: 60, now: later(NOON, 10 * MINUTE), callOf: () => ({ at: called }) });
    expect(checks).toMatchObject([{ isFirst: true, task: { notOlderThan: called } }]);
  });

  test('before the last check, or never away, changes nothing', async () => {
    const before = await of({ returnedAt: later(NOON, -MINUTE), triedAt: NOON });
    const never = await of({ returnedAt: undefined, triedAt: NOON });
    for (const at of [before, never]) {
      expect(at(later(NOON, MINUTE)).next).toBe(later(NOON, 10 * MINUTE));
      expect(at(later(NOON, 10 * MINUTE)).checks).toMatchObject([{ isFirst: false, task: { notOlderThan: NOON } }]);
    }
  });

  test('is served by a check after its return, and by none of the same moment', async () => {
    const harness = await openJobsHarness();
    const context = { checkRecords: harness.checkRecords, pollMinSeconds: 6, now: later(NOON, 1) };
    const cadenceNow = { intervals: new Map([['growth/tide', 60 * MINUTE]]), idle: new Map<string, number>() };
    const checkOf = async (returnedAt: Instant, now: Instant) => {
      const task: Task = { ...growthOf(harness, 'tide'), returnedAt };
      await tried(harness, task, NOON);
      const { checks, next } = due([task], { ...context, cadence: cadenceNow, now });
      return [next, ...checks.map(({ isFirst }) => isFirst)];
    };
    expect(await checkOf(later(NOON, -1), later(NOON, MINUTE))).toEqual([later(NOON, 60 * MINUTE)]);
    expect(await checkOf(NOON, later(NOON, MINUTE))).toEqual([later(NOON, 15 * MINUTE)]);
    expect(await checkOf(NOON, later(NOON, 15 * MINUTE))).toEqual([undefined, true]);
  });

  test('to a subject that was never checked is a first check, and so is one that nobody left', async () => {
    for (const returnedAt of [NOON, undefined]) {
      const at = await of({ returnedAt, triedAt: undefined });
      expect(at(NOON).checks).toMatchObject([{ isFirst: true, neverRan: true }]);
    }
  });
});

test('a check knows its planned interval and when a change was last seen, as far as there are any', async () => {
  const harness = await openJobsHarness();
  const task = supplyOf(harness, 'tide');
  const context = { checkRecords: harness.checkRecords, pollMinSeconds: 60, now: NOON };
  const cadenceNow = { intervals: new Map([['supply/tide', 5 * MINUTE]]), idle: new Map<string, number>() };
  expect(dueTasks([task], { ...context, cadence: cadenceNow, callOf: () => ({ at: NOON }) })).toEqual([
    { ...task, every: 5 * MINUTE, notOlderThan: NOON, confirms: { needsHistory: false } },
  ]);
  expect(dueTasks([task], context)).toEqual([task]);
});

test('first checks come before late ones, however late these are', async () => {
  const harness = await openJobsHarness();
  const [late, first] = [supplyOf(harness, 'tide'), supplyOf(harness, 'heron')];
  await tried(harness, late, later(NOON, -60 * MINUTE));
  expect(planned(harness, [late, first], NOON)).toEqual(['supply/heron', 'supply/tide']);
});

test('a date that comes before the planned check makes it wait for its floor only; one that comes after it changes nothing', async () => {
  const harness = await openJobsHarness();
  const task = supplyOf(harness, 'tide');
  const checkAt = async (endsAt: Instant) => {
    await tried(harness, task, NOON, { priorityWindows: [{ kind: 'vesting', endsAt }] });
    const cadenceNow = { intervals: new Map([['supply/tide', 10 * MINUTE]]) };
    const context = { checkRecords: harness.checkRecords, pollMinSeconds: 60, cadence: cadenceNow };
    const { next } = due([task], { ...context, now: NOON });
    const [check] = due([task], { ...context, now: later(NOON, 10 * MINUTE) }).checks;
    return [next, check?.at, check?.every];
  };
  const dated = later(NOON, 5.5 * MINUTE);
  expect(await checkAt(later(NOON, 5 * MINUTE))).toEqual([dated, dated, MINUTE]);
  const after = later(NOON, 10 * MINUTE);
  expect(await checkAt(later(NOON, 20 * MINUTE))).toEqual([after, after, 10 * MINUTE]);
  expect(await checkAt(later(NOON, 9.5 * MINUTE))).toEqual([after, after, 10 * MINUTE]);
});

describe('a sweep', () => {
  const open = async (changes = 0) => {
    const harness = await openJobsHarness();
    const tasks = Array.from({ length: 10 }, (_, index) => listedOf(harness, `p${index}`));
    const other = growthOf(harness, 'p0');
    for (const task of [...tasks, other]) await tried(harness, task, NOON, { okAt: NOON, cost: 1, changes });
    const planWith = (trust: (slug: string) => number, cost = 3) =>
      plan(harness, [...tasks, other], { left: 400, sweeps: [projectsList(({ subject }) => trust(subjectKey(subject)), cost)] });
    return { harness, tasks, other, planWith, bare: plan(harness, [...tasks, other], { left: 400 }) };
  };

  test('puts off the checks of projects that it shows, by what it is trusted, and those of no others', async () => {
    const { planWith } = await open();
    const { intervals } = planWith((slug) => (slug === 'p9' ? 0 : 0.75));
    const ratio = (intervals.get('supply/p0') ?? 0) / (intervals.get('supply/p9') ?? 1);
    expect(ratio).toBeCloseTo(2);
  });

  test('that costs more than the checks of which it tells is not made', async () => {
    const { planWith, bare } = await open();
    expect(planWith(() => 0.9, 11).intervals).toEqual(bare.intervals);
    expect(planWith(() => 0.9, 9).intervals.has(sweepKey('projects'))).toBe(true);
  });

  test('of a list that is trusted more is made more often', async () => {
    const { planWith } = await open();
    const every = (trust: number) => planWith(() => trust).intervals.get(sweepKey('projects')) ?? 0;
    expect(every(0.9)).toBeLessThan(every(0.2));
  });

  test('is made at the shortest interval at most, which it has without a limit; the checks are put off then', async () => {
    const { harness, tasks } = await open();
    const sweeps = [projectsList(() => 0.9)];
    const of = (left?: number) => plan(harness, tasks, { sweeps, ...(left === undefined ? {} : { left }) }).intervals;
    expect(of(100_000_000).get(sweepKey('projects'))).toBe(MINUTE);
    expect(of().get(sweepKey('projects'))).toBe(MINUTE);
    expect(of().get('supply/p0')).toBeCloseTo(10 * MINUTE);
  });

  test('and its checks together cost no more than what is left', async () => {
    const { planWith } = await open(3);
    const { intervals, costs } = planWith(() => 0.9);
    expect(spentOver(intervals, costs)).toBeLessThanOrEqual(400);
  });
});

test('a call from before the last check brings nothing forward', async () => {
  const harness = await openJobsHarness();
  const task = supplyOf(harness, 'tide');
  await tried(harness, task, NOON, { okAt: NOON });
  const cadenceNow = { intervals: new Map([['supply/tide', 8 * MINUTE]]) };
  const nextOf = (call: Instant | undefined) =>
    due([task], {
      checkRecords: harness.checkRecords,
      pollMinSeconds: 60,
      now: NOON,
      cadence: cadenceNow,
      callOf: () => call && { at: call },
    }).next;
  expect([nextOf(undefined), nextOf(later(NOON, -1)), nextOf(NOON), nextOf(later(NOON, 1))]).toEqual([
    later(NOON, 8 * MINUTE),
    later(NOON, 8 * MINUTE),
    later(NOON, 8 * MINUTE),
    later(NOON, MINUTE),
  ]);
});

describe('a value that must last', () => {
  test('is checked when its time is over, on any plan and with no response from before, and once', async () => {
    const harness = await openJobsHarness();
    const task = growthOf(harness, 'tide');
    await tried(harness, task, NOON);
    const over = later(NOON, 20 * MINUTE);
    const at = (now: Instant) =>
      due([task], {
        ...{ checkRecords: harness.checkRecords, pollMinSeconds: 6, now },
        cadence: { intervals: new Map([['growth/tide', 600 * MINUTE]]) },
        heldUntil: (key, after) => (key === 'growth/tide' && after < over ? over : undefined),
      });
    expect(at(later(NOON, 1)).next).toBe(over);
    expect(at(over).checks).toMatchObject([{ task: { notOlderThan: over } }]);
    await tried(harness, task, over);
    expect(at(later(over, 1)).next).toBe(later(over, 600 * MINUTE));
  });
});
