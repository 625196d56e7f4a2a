/**
 * Which looks are due, and how often each is worth making. Pure: from what is watched, how earlier looks went, and what may be spent, to intervals
 * and to what to look at now. Without a monthly limit everything is looked at as often as it may be.
 */
import type { BudgetState } from '../analytics/analytics.js';
import { DAY, SECOND, instant, later, type Instant } from '../base/clock.js';
import { isAbsent, type Looks } from '../alerts/looks.js';
import { subjectKey, type Feed } from '../feeds/feed.js';
import { taskKey, type Task } from './demand.js';
import type { DetectorFacts } from './plan/detect.js';
import { spread, type Load } from './plan/spread.js';
import { appointment, weightOf } from './plan/stakes.js';

/** What the service does not have for a project (a launch that is no project yet) is asked for less often. */
const ABSENT_FACTOR = 10;

/** No look waits longer than this, whatever a detector says, unless the budget cannot bear even that. */
export const CEILING = 7 * DAY;

/** Calls of a look that was never made. */
const USUAL_COST = 2;
/** A look that was answered from kept copies cost nothing, but the next one may. */
const LEAST_COST = 0.25;

/** Milliseconds between two looks of a feed, at the floor. */
export const interval = (feed: Pick<Feed, 'every'>, pollMinSeconds: number): number => feed.every * pollMinSeconds * SECOND;

/** What is planned besides looks: refreshes of wallets, each as the calls it costs. */
export interface RefreshLoad {
  readonly key: string;
  readonly cost: number;
  readonly floor: number;
  readonly watchers: number;
}

export interface PlanContext {
  readonly looks: Pick<Looks, 'read'>;
  readonly pollMinSeconds: number;
  readonly now: Instant;
  readonly budget: BudgetState;
  readonly detectors?: readonly DetectorFacts[];
  readonly refreshes?: readonly RefreshLoad[];
}

/** How often each thing is looked at. */
export interface Cadence {
  /** Milliseconds, by the key of a task, a detector or a refresh. */
  readonly intervals: ReadonlyMap<string, number>;
  /** The calls of one look, by the same keys. */
  readonly costs: ReadonlyMap<string, number>;
  /** How many times longer the longest interval had to become than it should be. */
  readonly stretch: number;
  /** Whether a monthly limit governs; without one every interval is the floor. */
  readonly limited: boolean;
}

export const refreshKey = (wallet: string): string => `refresh/${wallet}`;
export const detectorKey = (id: string): string => `detector/${id}`;

/** Calls a millisecond that looks may spend from now to the end of the month; undefined without a limit. */
export const rateOf = ({ forLooks, resetsAt }: BudgetState, now: Instant): number | undefined =>
  forLooks === undefined ? undefined : forLooks / Math.max(1, resetsAt - now);

export function cadence(tasks: readonly Task[], context: PlanContext): Cadence {
  const { budget, now, detectors = [], refreshes = [] } = context;
  const looks = tasks.map((task) => loadOf(task, context));
  const rate = rateOf(budget, now);
  const others = refreshes.map(({ key, cost, floor, watchers }): Load => {
    return {
      key,
      cost: Math.max(LEAST_COST, cost),
      floor,
      ceiling: Math.max(floor, CEILING),
      weight: weightOf(undefined, { watchers, now }),
    };
  });
  if (rate === undefined) {
    const all = [...looks, ...others];
    return { intervals: byKey(all, ({ floor }) => floor), costs: byKey(all, ({ cost }) => cost), stretch: 1, limited: false };
  }
  const { loads, called } = withDetectors(tasks, { looks, detectors, context });
  const all = [...loads, ...others];
  const { intervals, stretch } = spread(all, Math.max(0, rate - called));
  return { intervals, costs: byKey(all, ({ cost }) => cost), stretch, limited: true };
}

const byKey = (loads: readonly Load[], value: (load: Load) => number): ReadonlyMap<string, number> =>
  new Map(loads.map((load) => [load.key, value(load)]));

function loadOf(task: Task, { looks, pollMinSeconds, now }: PlanContext): Load {
  const record = looks.read(task.feed.id, subjectKey(task.subject));
  const absent = record !== undefined && isAbsent(record);
  const floor = interval(task.feed, pollMinSeconds) * (absent ? ABSENT_FACTOR : 1);
  return {
    key: taskKey(task),
    cost: Math.max(LEAST_COST, record?.cost ?? USUAL_COST),
    weight: weightOf(record, { watchers: task.watchers ?? 1, now, absent }),
    floor,
    ceiling: Math.max(floor, CEILING),
  };
}

/**
 * A detector that sees a part p of the changes takes over that part of the weight of the looks it covers: with T_d its interval, a change waits
 * T_d / 2 with probability p and T_i / 2 otherwise. So it is one more thing to look at, and the looks it covers keep the rest of their weight and
 * their ceiling. What it brings forward costs calls too, which are set aside.
 */
function withDetectors(
  tasks: readonly Task[],
  { looks, detectors, context }: { looks: readonly Load[]; detectors: readonly DetectorFacts[]; context: PlanContext },
): { readonly loads: readonly Load[]; readonly called: number } {
  const floor = context.pollMinSeconds * SECOND;
  let called = 0;
  const loads = new Map(looks.map((load) => [load.key, load]));
  for (const { id, feed, trust, cost, covers } of detectors) {
    const covered = tasks.filter((task) => task.feed.id === feed && covers(subjectKey(task.subject)));
    if (covered.length < 2) continue;
    let weight = 0;
    for (const task of covered) {
      const load = loads.get(taskKey(task));
      if (load === undefined) continue;
      weight += trust * load.weight;
      called += (trust * load.cost * (1 + (context.looks.read(feed, subjectKey(task.subject))?.changes ?? 0))) / (30 * DAY);
      loads.set(load.key, { ...load, weight: (1 - trust) * load.weight });
    }
    const key = detectorKey(id);
    loads.set(key, { key, cost: Math.max(LEAST_COST, cost), weight, floor, ceiling: Math.max(floor, CEILING) });
  }
  return { loads: [...loads.values()], called };
}

export interface DueContext {
  readonly looks: Pick<Looks, 'read'>;
  readonly pollMinSeconds: number;
  readonly now: Instant;
  /** Absent: everything at the floor. */
  readonly cadence?: Pick<Cadence, 'intervals'>;
  /** When a detector last saw something change there. */
  readonly called?: (task: Task) => Instant | undefined;
}

/** When a task is to be looked at next: a whole interval after it was last tried, at once where it never was. */
function dueTime(task: Task, { looks, pollMinSeconds, now, cadence: plan, called }: DueContext): Instant {
  const last = looks.read(task.feed.id, subjectKey(task.subject));
  // A clock that was set back must not silence a feed until it has caught up.
  if (last === undefined || last.triedAt > now) return now;
  const floor = interval(task.feed, pollMinSeconds) * (isAbsent(last) ? ABSENT_FACTOR : 1);
  const planned = later(last.triedAt, plan?.intervals.get(taskKey(task)) ?? floor);
  const call = called?.(task);
  // What changed, or changes of itself at a known moment, is looked at then; but nothing more often than the floor allows.
  const wanted = [planned, appointment(last), call !== undefined && call > last.triedAt ? call : undefined];
  return instant(Math.max(later(last.triedAt, floor), Math.min(...wanted.filter((at) => at !== undefined))));
}

/** The tasks that are due, the longest overdue first, each with the interval that is planned for it. */
export function due(tasks: readonly Task[], context: DueContext): readonly Task[] {
  return tasks
    .map((task) => ({ task, at: dueTime(task, context) }))
    .filter(({ at }) => at <= context.now)
    .toSorted((a, b) => a.at - b.at)
    .map(({ task }): Task => {
      const every = context.cadence?.intervals.get(taskKey(task));
      const called = context.called?.(task);
      return { ...task, ...(every === undefined ? {} : { every }), ...(called === undefined ? {} : { called }) };
    });
}
