/**
 * Which looks are due, and how often each is worth making. Pure: from what is watched, how earlier looks went, and what may be spent, to intervals
 * and to what to look at now. Without a monthly limit everything is looked at as often as it may be.
 */
import type { BudgetState } from '../analytics/analytics.js';
import { DAY, SECOND, instant, later, type Instant } from '../base/clock.js';
import { isAbsent, type CheckRecords } from '../alerts/checks/check-records.js';
import { subjectKey, type Feed } from '../feeds/feed.js';
import { taskKey, type Task } from './demand.js';
import type { DetectorFacts } from './plan/detect.js';
import { spread, type Load } from './plan/spread.js';
import { scheduledCheck, eventRate, weightOf } from './plan/priority.js';
import { byLateness, roundOf } from './plan/turns.js';

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
  readonly checkRecords: Pick<CheckRecords, 'read'>;
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
  /** Those of looks at which a detector sees nothing change: they are put off so far. */
  readonly calm: ReadonlyMap<string, number>;
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
const rateOf = ({ forLooks, resetsAt }: BudgetState, now: Instant): number | undefined =>
  forLooks === undefined ? undefined : forLooks / Math.max(1, resetsAt - now);

export function cadence(tasks: readonly Task[], context: PlanContext): Cadence {
  const { budget, now, detectors = [], refreshes = [] } = context;
  const checkRecords = tasks.map((task) => loadOf(task, context));
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
    const all = [...checkRecords, ...others];
    return {
      intervals: byKey(all, ({ floor }) => floor),
      costs: byKey(all, ({ cost }) => cost),
      calm: new Map(),
      stretch: 1,
      limited: false,
    };
  }
  // What a detector saves depends on the intervals, and they on what it saves: a few rounds settle it.
  let plan = spread([...checkRecords, ...others], rate);
  for (let round = 0; detectors.length > 0 && round < ROUNDS; round += 1) {
    plan = spread([...withDetectors(tasks, { checkRecords, before: plan.intervals, context }), ...others], rate);
  }
  const { intervals, stretch } = plan;
  const calm = calmIntervals(tasks, { intervals, stretch, context });
  return { intervals, calm, costs: byKey([...checkRecords, ...others], ({ cost }) => cost), stretch, limited: true };
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
    cost: Math.max(LEAST_COST, record?.cost ?? USUAL_COST),
    weight: weightOf(record, { watchers: task.watchers ?? 1, now, absent, wide: task.feed.scope === 'global' }),
    floor,
    ceiling: Math.max(floor, CEILING),
  };
}

/**
 * What detectors change. A look that is covered keeps its weight and its interval T, but where the detector saw nothing change it is put off to
 * T / (1 - p), p being the part of the changes it sees: what it misses then waits as long, weighted, as before. So of the looks planned only some
 * are made, and with news at rate r the calls of one fall to c * (q + (1 - q) * (1 - p)), q = 1 - exp(-r * p * T) being how likely something was
 * seen. The detector itself is one more thing to look at: what happens after T waits half its interval.
 */
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
      cost: Math.max(LEAST_COST, cost),
      weight: Math.max(Number.MIN_VALUE, weight),
      floor,
      ceiling: Math.max(floor, CEILING),
    });
  }
  return [...loads.values()];
}

/** How long the looks that a detector covers may be put off while it sees nothing change. */
function calmIntervals(
  tasks: readonly Task[],
  { intervals, stretch, context }: { intervals: ReadonlyMap<string, number>; stretch: number; context: PlanContext },
): ReadonlyMap<string, number> {
  const calm = new Map<string, number>();
  for (const { feed, trust, covers } of context.detectors ?? []) {
    for (const task of tasks) {
      const every = intervals.get(taskKey(task));
      if (every === undefined || task.feed.id !== feed || !covers(subjectKey(task.subject))) continue;
      calm.set(taskKey(task), Math.max(every, Math.min(CEILING * stretch, every / (1 - trust))));
    }
  }
  return calm;
}

export interface DueContext {
  readonly checkRecords: Pick<CheckRecords, 'read'>;
  readonly pollMinSeconds: number;
  readonly now: Instant;
  /** Absent: everything at the floor. */
  readonly cadence?: Pick<Cadence, 'intervals' | 'calm'>;
  /** How many checks there are in all, those that run now included. Default: these tasks. */
  readonly checks?: number;
  /** When a detector last saw something change there. */
  readonly called?: (task: Task) => Instant | undefined;
}

/** A check that is due. */
export interface DueCheck {
  readonly task: Task;
  /** When it became due; now where it never ran. */
  readonly at: Instant;
  /** Milliseconds between two runs, as planned. */
  readonly every: number;
  readonly neverRan: boolean;
  /** Whether it never ran, or a chat came back since: it starts before those that are late, in its chat's turn. */
  readonly isFirst: boolean;
}

/** When a check is due: a whole interval after it was last tried, at once where it never ran. */
function dueTime(task: Task, { checkRecords, pollMinSeconds, now, cadence: plan, called }: DueContext): Omit<DueCheck, 'isFirst'> {
  const last = checkRecords.read(task.feed.id, subjectKey(task.subject));
  const floor = interval(task.feed, pollMinSeconds) * (last !== undefined && isAbsent(last) ? ABSENT_FACTOR : 1);
  const neverRan = last === undefined;
  // A clock that was set back must not silence a feed until it has caught up.
  if (neverRan || last.triedAt > now) return { task, at: now, every: floor, neverRan };
  const call = called?.(task);
  const key = taskKey(task);
  const every = (call !== undefined && call > last.triedAt ? undefined : plan?.calm.get(key)) ?? plan?.intervals.get(key) ?? floor;
  // What changes of itself at a known moment is looked at then; but nothing more often than the floor allows.
  const scheduled = Math.min(scheduledCheck(last) ?? Infinity, returnDue(task, last.triedAt, every) ?? Infinity);
  const planned = later(last.triedAt, every);
  const at = instant(Math.max(later(last.triedAt, floor), Math.min(planned, scheduled)));
  return { task, at, every: scheduled < planned ? floor : every, neverRan };
}

/** A chat that leaves and comes back again and again has nothing checked more often than this part of its interval. */
const RETURN_PART = 1 / 4;

/** When something is to be checked for a chat that came back since it last was; undefined where none did. */
const returnDue = ({ returnedAt }: Task, triedAt: Instant, every: number): Instant | undefined =>
  returnedAt !== undefined && triedAt <= returnedAt ? instant(Math.max(returnedAt, later(triedAt, every * RETURN_PART))) : undefined;

/** Whether a chat came back since this was last tried: such checks take turns with those that never ran. */
const isAwaited = ({ feed, subject, returnedAt }: Task, checkRecords: Pick<CheckRecords, 'read'>): boolean =>
  returnedAt !== undefined && (checkRecords.read(feed.id, subjectKey(subject))?.triedAt ?? 0) <= returnedAt;

/** The checks that are due, in the order in which they start: those that are awaited or never ran, then the late ones. */
export function due(tasks: readonly Task[], context: DueContext): readonly DueCheck[] {
  const { now, checkRecords, cadence: plan } = context;
  const checks = tasks
    .map((task): DueCheck => {
      const awaited = isAwaited(task, checkRecords);
      const every = plan?.intervals.get(taskKey(task));
      // An answer of during the absence would show a part of what happened.
      const called = awaited ? task.returnedAt : context.called?.(task);
      const known = { ...task, ...(every === undefined ? {} : { every }), ...(called === undefined ? {} : { called }) };
      const check = dueTime(task, context);
      return { ...check, task: known, isFirst: awaited || check.neverRan };
    })
    .filter(({ at }) => at <= now);
  const [first, late] = [checks.filter(({ isFirst }) => isFirst), checks.filter(({ isFirst }) => !isFirst)];
  return [...first, ...byLateness(late, { now, round: roundOf(context.checks ?? tasks.length) })];
}
