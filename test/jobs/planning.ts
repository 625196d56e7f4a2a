/** Checks of two feeds, when they were tried last, and the plan of them under a budget. */
import type { CheckRecord } from '../../src/alerts/checks/check-records.js';
import { instant, later, MINUTE, type Instant } from '../../src/base/clock.js';
import { subjectKey } from '../../src/feeds/feed.js';
import { taskKey, type Task } from '../../src/jobs/wanted-checks.js';
import { cadence, due, type PlanContext } from '../../src/jobs/plan.js';
import type { SweepFacts } from '../../src/sweeps/sweeps.js';
import type { JobsHarness } from './harness.js';
import { project } from './fake-service.js';

export const supplyOf = ({ seen }: Pick<JobsHarness, 'seen'>, slug: string): Task => ({ feed: seen.feed(), subject: project(slug) });
export const growthOf = ({ seen }: Pick<JobsHarness, 'seen'>, slug: string): Task => ({
  feed: seen.feed({ id: 'growth', every: 10 }),
  subject: project(slug),
});

/** A check of which the list of projects tells. */
export const listedOf = ({ seen }: Pick<JobsHarness, 'seen'>, slug: string): Task => ({
  feed: { ...seen.feed(), list: 'projects' },
  subject: project(slug),
});
/** Two kinds whose checks read the same responses. */
export const companionsOf = ({ seen }: Pick<JobsHarness, 'seen'>, slug: string): readonly [Task, Task] => [
  { feed: { ...seen.feed({ id: 'premium' }), companion: 'treasury' }, subject: project(slug) },
  { feed: { ...seen.feed({ id: 'treasury' }), companion: 'premium' }, subject: project(slug) },
];
export const projectsList = (trust: SweepFacts['trust'], cost = 3): SweepFacts => ({ list: 'projects', cost, trust });

export const tried = (
  { checkRecords }: Pick<JobsHarness, 'checkRecords'>,
  task: Task,
  triedAt: Instant,
  extra: Partial<CheckRecord> = {},
): Promise<void> =>
  checkRecords.record({
    feed: task.feed.id,
    subject: subjectKey(task.subject),
    triedAt,
    failures: 0,
    hidden: 0,
    broken: 0,
    complete: true,
    ...extra,
  });

export const dueTasks = (...args: Parameters<typeof due>): readonly Task[] => due(...args).checks.map(({ task }) => task);

export const planned = ({ checkRecords }: Pick<JobsHarness, 'checkRecords'>, tasks: readonly Task[], now: Instant): readonly string[] =>
  dueTasks(tasks, { checkRecords, pollMinSeconds: 60, now }).map(taskKey);

export const NOON = instant(Date.UTC(2026, 10, 20, 12));

export const END = later(NOON, 10 * 24 * 60 * MINUTE);
export const plan = (
  { checkRecords }: Pick<JobsHarness, 'checkRecords'>,
  tasks: readonly Task[],
  more: Partial<PlanContext> & { readonly left?: number } = {},
) => {
  const { left, ...context } = more;
  const budget = { used: 0, resetsAt: END, ...(left === undefined ? {} : { limit: left, forChecks: left }) };
  return cadence(tasks, { checkRecords, pollMinSeconds: 60, now: NOON, budget, ...context });
};
export const spentOver = (intervals: ReadonlyMap<string, number>, costs: ReadonlyMap<string, number>): number =>
  [...intervals].reduce((total, [key, every]) => total + ((costs.get(key) ?? 1) * (END - NOON)) / every, 0);
