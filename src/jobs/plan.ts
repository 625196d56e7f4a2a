/** Check intervals by watches, results and budget, and due checks. Pure. */
import { crc32 } from 'node:zlib';
import type { BudgetState } from '../analytics/analytics.js';
import { DAY, instant, type Instant, later, MINUTE, SECOND } from '../base/clock.js';
import { isAbsent, type CheckRecords } from '../alerts/checks/check-records.js';
import { subjectKey, type Feed } from '../feeds/feed.js';
import { taskKey, type Task } from './wanted-checks.js';
import type { DetectorFacts } from './plan/detect.js';
import { spread, type Load } from './plan/intervals.js';
import { scheduledCheck, eventRate, weightOf } from './plan/priority.js';
import { byLateness, roundOf } from './plan/check-order.js';

/** For data the service does not have (404). */
const ABSENT_FACTOR = 10;

/** Exceeded only if the budget does not suffice. */
export const CEILING = 7 * DAY;

/** Calls of a first check. */
const DEFAULT_COST = 2;
/** A cached check costs nothing, but the next one may. */
const MIN_COST = 0.25;

/** The floor in ms. */
export const interval = (feed: Pick<Feed, 'every'>, pollMinSeconds: number): number => feed.every * pollMinSeconds * SECOND;

export interface RefreshLoad {
  readonly key: string;
  readonly cost: number;
  readonly floor: number;
  readonly watchers: number;
}

export interface PlanContext {
  readonly checkRecords: Pick<CheckRecords, 'read'>;
  readonly pollMinSeconds: number;
  readonly now: Instant;
  readonly budget: BudgetState;
  readonly detectors?: readonly DetectorFacts[];
  readonly refreshes?: readonly RefreshLoad[];
}

export interface Cadence {
  /** In ms, by the key of a task, detector or refresh. */
  readonly intervals: ReadonlyMap<string, number>;
  /** Intervals while a detector sees no change. */
  readonly idle: ReadonlyMap<string, number>;
  /** Calls per check, by the same keys. */
  readonly costs: ReadonlyMap<string, number>;
  /** Growth factor of the maximum interval. */
  readonly stretch: number;
  /** False: every interval is the floor. */
  readonly limited: boolean;
}

export const refreshKey = (wallet: string): string => `refresh/${wallet}`;
export const detectorKey = (id: string): string => `detector/${id}`;

const rateOf = ({ forChecks, resetsAt }: BudgetState, now: Instant): number | undefined =>
  forChecks === undefined ? undefined : forChecks / Math.max(1, resetsAt - now);

export function cadence(tasks: readonly Task[], context: PlanContext): Cadence {
  const { budget, now, detectors = [], refreshes = [] } = context;
  const checkRecords = tasks.map((task) => loadOf(task, context));
  const rate = rateOf(budget, now);
  const others = refreshes.map(({ key, cost, floor, watchers }): Load => {
    return {
      key,
      cost: Math.max(MIN_COST, cost),
      floor,
      ceiling: Math.max(floor, CEILING),
      weight: weightOf(undefined, { watchers, now }),
    };
  });
  if (rate === undefined) {
    const all = [...checkRecords, ...others];
    return {
      intervals: byKey(all, ({ floor }) => floor),
      costs: byKey(all, ({ cost }) => cost),
      idle: new Map(),
      stretch: 1,
      limited: false,
    };
  }
  // Savings by detectors depend on the intervals and the reverse; a few rounds converge.
  let plan = spread([...checkRecords, ...others], rate);
  for (let round = 0; detectors.length > 0 && round < ROUNDS; round += 1) {
    plan = spread([...withDetectors(tasks, { checkRecords, before: plan.intervals, context }), ...others], rate);
  }
  const { intervals, stretch } = plan;
  const idle = idleIntervals(tasks, { intervals, stretch, context });
  return { intervals, idle, costs: byKey([...checkRecords, ...others], ({ cost }) => cost), stretch, limited: true };
}

const ROUNDS = 4;

const byKey = (loads: readonly Load[], value: (load: Load) => number): ReadonlyMap<string, number> =>
  new Map(loads.map((load) => [load.key, value(load)]));

function loadOf(task: Task, { checkRecords, pollMinSeconds, now }: PlanContext): Load {
  const record = checkRecords.read(task.feed.id, subjectKey(task.subject));
  const absent = record !== undefined && isAbsent(record);
  const floor = interval(task.feed, pollMinSeconds) * (absent ? ABSENT_FACTOR : 1);
  return {
    key: taskKey(task),
    cost: Math.max(MIN_COST, record?.cost ?? DEFAULT_COST),
    weight: weightOf(record, { watchers: task.watchers ?? 1, now, absent, wide: task.feed.scope === 'global' }),
    floor,
    ceiling: Math.max(floor, CEILING),
  };
}

/** Covered checks become cheaper (docs/decisions/0008-a-planned-budget.md). */
function withDetectors(
  tasks: readonly Task[],
  { checkRecords, before, context }: { checkRecords: readonly Load[]; before: ReadonlyMap<string, number>; context: PlanContext },
): readonly Load[] {
  const loads = new Map(checkRecords.map((load) => [load.key, load]));
  const floor = context.pollMinSeconds * SECOND;
  for (const { id, feed, trust, cost, covers } of context.detectors ?? []) {
    const covered = tasks.filter((task) => task.feed.id === feed && covers(subjectKey(task.subject)));
    if (covered.length < 2) continue;
    let weight = 0;
    for (const task of covered) {
      const load = loads.get(taskKey(task));
      const planned = before.get(taskKey(task));
      if (load === undefined || planned === undefined) continue;
      const rate = eventRate(context.checkRecords.read(feed, subjectKey(task.subject)));
      const seen = 1 - Math.exp(-rate * trust * planned);
      weight += trust * load.weight * (1 - seen);
      loads.set(load.key, { ...load, cost: load.cost * (seen + (1 - seen) * (1 - trust)) });
    }
    const key = detectorKey(id);
    loads.set(key, {
      key,
      cost: Math.max(MIN_COST, cost),
      weight: Math.max(Number.MIN_VALUE, weight),
      floor,
      ceiling: Math.max(floor, CEILING),
    });
  }
  return [...loads.values()];
}

function idleIntervals(
  tasks: readonly Task[],
  { intervals, stretch, context }: { intervals: ReadonlyMap<string, number>; stretch: number; context: PlanContext },
): ReadonlyMap<string, number> {
  const idle = new Map<string, number>();
  for (const { feed, trust, covers } of context.detectors ?? []) {
    for (const task of tasks) {
      const every = intervals.get(taskKey(task));
      if (every === undefined || task.feed.id !== feed || !covers(subjectKey(task.subject))) continue;
      idle.set(taskKey(task), Math.max(every, Math.min(CEILING * stretch, every / (1 - trust))));
    }
  }
  return idle;
}

export interface DueContext {
  readonly checkRecords: Pick<CheckRecords, 'read'>;
  readonly pollMinSeconds: number;
  readonly now: Instant;
  readonly cadence?: Pick<Cadence, 'intervals' | 'idle'>;
  /** With running ones. Default: these tasks. */
  readonly checks?: number;
  /** When a detector last saw a change there. */
  readonly called?: (task: Task) => Instant | undefined;
  /** In ms. Default: at once. */
  readonly spread?: { readonly from: Instant; readonly over: number };
}

export interface DueCheck {
  readonly task: Task;
  /** Now if it never ran. */
  readonly at: Instant;
  readonly every: number;
  readonly neverRan: boolean;
  /** Never ran, or a chat came back. */
  readonly isFirst: boolean;
}

/** Questions fit between. */
export const START_SPREAD = SECOND;

function turnAtStart(task: Task, { now, spread }: DueContext): Instant {
  // A start in the future predates a clock that was set back.
  if (spread === undefined || spread.from > now || later(spread.from, spread.over) <= now) return now;
  return later(spread.from, Math.floor((crc32(taskKey(task)) / 2 ** 32) * spread.over));
}

function dueTime(task: Task, { checkRecords, pollMinSeconds, now, cadence: plan, called }: DueContext): Omit<DueCheck, 'isFirst'> {
  const last = checkRecords.read(task.feed.id, subjectKey(task.subject));
  const floor = interval(task.feed, pollMinSeconds) * (last !== undefined && isAbsent(last) ? ABSENT_FACTOR : 1);
  const neverRan = last === undefined;
  // The clock may have been set back; waiting for it would stop the feed.
  if (neverRan || last.triedAt > now) return { task, at: now, every: floor, neverRan };
  const call = called?.(task);
  const key = taskKey(task);
  const every = (call !== undefined && call > last.triedAt ? undefined : plan?.idle.get(key)) ?? plan?.intervals.get(key) ?? floor;
  // Dated changes are checked on their date, but never below the floor.
  const scheduled = Math.min(scheduledCheck(last) ?? Infinity, returnDue(task, last.triedAt, every) ?? Infinity);
  const planned = later(last.triedAt, last.problem === 'limited' ? Math.min(every, Math.max(floor, AFTER_PAUSE)) : every);
  const at = instant(Math.max(later(last.triedAt, floor), Math.min(planned, scheduled)));
  return { task, at, every: scheduled < planned ? floor : every, neverRan };
}

/** The service asked for a pause. A check in it makes no request, so it costs nothing to be ready when the pause ends. */
const AFTER_PAUSE = 15 * MINUTE;

/** For chats that leave and return repeatedly. */
const RETURN_PART = 1 / 4;

const returnDue = ({ returnedAt }: Task, triedAt: Instant, every: number): Instant | undefined =>
  returnedAt !== undefined && triedAt <= returnedAt ? instant(Math.max(returnedAt, later(triedAt, every * RETURN_PART))) : undefined;

const isAwaited = ({ feed, subject, returnedAt }: Task, checkRecords: Pick<CheckRecords, 'read'>): boolean =>
  returnedAt !== undefined && (checkRecords.read(feed.id, subjectKey(subject))?.triedAt ?? 0) <= returnedAt;

export interface DueChecks {
  /** First checks, then late ones. */
  readonly checks: readonly DueCheck[];
  /** Undefined if there is none. */
  readonly next: Instant | undefined;
}

export function due(tasks: readonly Task[], context: DueContext): DueChecks {
  const { now, checkRecords, cadence: plan } = context;
  const checks: DueCheck[] = [];
  let next: Instant | undefined;
  for (const task of tasks) {
    const awaited = isAwaited(task, checkRecords);
    const check = dueTime(task, context);
    const begins = Math.max(check.at, turnAtStart(task, context));
    if (begins > now) {
      next = instant(Math.min(next ?? begins, begins));
      continue;
    }
    const every = plan?.intervals.get(taskKey(task));
    // A response from during the absence would show only a part of the changes.
    const called = awaited ? task.returnedAt : context.called?.(task);
    const known = { ...task, ...(every === undefined ? {} : { every }), ...(called === undefined ? {} : { called }) };
    checks.push({ ...check, task: known, isFirst: awaited || check.neverRan });
  }
  const [first, late] = [checks.filter(({ isFirst }) => isFirst), checks.filter(({ isFirst }) => !isFirst)];
  return { checks: [...first, ...byLateness(late, { now, round: roundOf(context.checks ?? tasks.length) })], next };
}
