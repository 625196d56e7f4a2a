import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LookRecord } from '../../src/alerts/looks.js';
import { instant, later, MINUTE, SECOND, type Instant } from '../../src/base/clock.js';
import { subjectKey } from '../../src/feeds/feed.js';
import { taskKey, type Task } from '../../src/jobs/demand.js';
import { due, interval } from '../../src/jobs/plan.js';
import { openOffice, type Office } from './office.js';
import { project } from './surface.js';

const supplyOf = ({ seen }: Pick<Office, 'seen'>, slug: string): Task => ({ feed: seen.feed(), subject: project(slug) });
const growthOf = ({ seen }: Pick<Office, 'seen'>, slug: string): Task => ({
  feed: seen.feed({ id: 'growth', every: 10 }),
  subject: project(slug),
});

const tried = ({ looks }: Pick<Office, 'looks'>, task: Task, triedAt: Instant, extra: Partial<LookRecord> = {}): Promise<void> =>
  looks.record({
    feed: task.feed.id,
    subject: subjectKey(task.subject),
    triedAt,
    failures: 0,
    hidden: 0,
    broken: 0,
    complete: true,
    ...extra,
  });

const planned = ({ looks }: Pick<Office, 'looks'>, tasks: readonly Task[], now: Instant): readonly string[] =>
  due(tasks, { looks, pollMinSeconds: 60, now }).map(taskKey);

const NOON = instant(Date.UTC(2026, 10, 20, 12));

test('what was never looked at is due at once', async () => {
  const office = await openOffice();
  expect(planned(office, [supplyOf(office, 'tide')], NOON)).toEqual(['supply/tide']);
});

test('a look is due again a whole interval after it was last tried, and not a moment earlier', async () => {
  const office = await openOffice();
  const task = supplyOf(office, 'tide');
  await tried(office, task, NOON);
  expect(planned(office, [task], NOON)).toEqual([]);
  expect(planned(office, [task], later(NOON, MINUTE - 1))).toEqual([]);
  expect(planned(office, [task], later(NOON, MINUTE))).toEqual(['supply/tide']);
});

test('a feed that wants to be looked at every tenth time is', async () => {
  const office = await openOffice();
  const task = growthOf(office, 'tide');
  await tried(office, task, NOON);
  expect(planned(office, [task], later(NOON, 10 * MINUTE - 1))).toEqual([]);
  expect(planned(office, [task], later(NOON, 10 * MINUTE))).toEqual(['growth/tide']);
  expect(interval({ every: 10 }, 6)).toBe(MINUTE);
});

test('the longest overdue goes first, whatever its feed', async () => {
  const office = await openOffice();
  const [early, late, slow] = [supplyOf(office, 'tide'), supplyOf(office, 'heron'), growthOf(office, 'tide')];
  await tried(office, late, later(NOON, -2 * MINUTE));
  await tried(office, early, later(NOON, -3 * MINUTE));
  await tried(office, slow, later(NOON, -20 * MINUTE));
  expect(planned(office, [late, slow, early], NOON)).toEqual(['growth/tide', 'supply/tide', 'supply/heron']);
});

test('a clock that was set back silences nothing until it has caught up', async () => {
  const office = await openOffice();
  const task = supplyOf(office, 'tide');
  await tried(office, task, later(NOON, 24 * 60 * MINUTE));
  expect(planned(office, [task], NOON)).toEqual(['supply/tide']);
  await tried(office, task, NOON);
  expect(planned(office, [task], later(NOON, SECOND))).toEqual([]);
});

test('a project that the service does not have is asked for ten times less often', async () => {
  const office = await openOffice();
  const task = supplyOf(office, 'tide');
  await tried(office, task, NOON, { failures: 3, problem: 'unknown' });
  expect(planned(office, [task], later(NOON, 10 * MINUTE - 1))).toEqual([]);
  expect(planned(office, [task], later(NOON, 10 * MINUTE))).toEqual(['supply/tide']);
});

test('a look that failed otherwise is tried again after the plain interval', async () => {
  const office = await openOffice();
  const task = supplyOf(office, 'tide');
  for (const problem of ['unreachable', 'timeout', 'forbidden', 'internal']) {
    await tried(office, task, NOON, { failures: 1, problem });
    expect(planned(office, [task], later(NOON, MINUTE - 1))).toEqual([]);
    expect(planned(office, [task], later(NOON, MINUTE))).toEqual(['supply/tide']);
  }
});

test('a plan that is followed looks at everything once in each interval, however late the ticks come', async () => {
  const lateness = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 20, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(lateness, async (ticks) => {
      const office = await openOffice();
      const tasks = [supplyOf(office, 'tide'), supplyOf(office, 'heron'), growthOf(office, 'tide')];
      const last = new Map<string, Instant>();
      let now = NOON;
      const dueFrom = (task: Task): Instant => {
        const at = last.get(taskKey(task));
        return at === undefined ? NOON : later(at, interval(task.feed, 60));
      };
      for (const seconds of ticks) {
        now = later(now, seconds * SECOND);
        const looked = due(tasks, { looks: office.looks, pollMinSeconds: 60, now });
        const early = looked.filter((task) => dueFrom(task) > now);
        for (const task of looked) {
          last.set(taskKey(task), now);
          await tried(office, task, now);
        }
        const forgotten = tasks.filter((task) => dueFrom(task) <= now);
        expect({ early, forgotten }).toEqual({ early: [], forgotten: [] });
      }
    }),
    { numRuns: 30 },
  );
});
