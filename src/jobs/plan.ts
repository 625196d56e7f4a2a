/** This module computes check intervals from watches, results and budget, and the checks that are due. It is pure. */
import { crc32 } from 'node:zlib';
import type { BudgetState } from '../analytics/analytics.js';
import { QUESTION_SHARE } from '../analytics/budget.js';
import { backoff } from '../base/backoff.js';
import { DAY, HOUR, instant, type Instant, later, MINUTE, SECOND } from '../base/clock.js';
import { isAbsent, type CheckRecord, type CheckRecords } from '../alerts/checks/check-records.js';
import { subjectKey, type Feed } from '../feeds/feed.js';
import type { ListName } from '../feeds/listed.js';
import { COMPARED_WITHIN, type SweepFacts } from '../sweeps/sweeps.js';
import { taskKey, type Task } from './wanted-checks.js';
import { spread, type Load } from './plan/intervals.js';
import { scheduledCheck, weightOf } from './plan/priority.js';
import { byLateness, roundOf } from './plan/check-order.js';

/** The factor of an interval for data that the service does not have (404). */
const ABSENT_FACTOR = 10;

/** Maximum interval of a check. It grows only if the budget is too small. */
export const CEILING = 7 * DAY;

/** Assumed requests of a check that has not run yet. */
const DEFAULT_COST = 2;
/** Minimum assumed cost. A check that used cached responses cost nothing, but the next one may. */
const MIN_COST = 0.25;

/** Returns the minimum interval of a feed's checks in ms. */
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
  readonly sweeps?: readonly SweepFacts[] | undefined;
  readonly refreshes?: readonly RefreshLoad[];
  /** Recent requests per ms that confirmed what lists showed. By default a part of the remaining budget is assumed. */
  readonly confirming?: number | undefined;
}

export interface Cadence {
  /** Intervals in ms, by the key of a task, sweep or refresh. */
  readonly intervals: ReadonlyMap<string, number>;
  /** Requests per check, by the same keys. */
  readonly costs: ReadonlyMap<string, number>;
  /** Factor by which the maximum interval grows. */
  readonly stretch: number;
  /** False if there is no monthly limit; every interval is then the minimum. */
  readonly limited: boolean;
}

export const refreshKey = (wallet: string): string => `refresh/${wallet}`;
export const sweepKey = (list: ListName): string => `sweep/${list}`;

/**
 * Parts of the requests for checks (decision 39). Confirmations have no interval, so as many requests are kept for them as they took
 * lately.
 */
export const CONFIRMING_PART = 0.12;
const [MIN_CONFIRMING, MAX_CONFIRMING] = [0.05, 0.5];
/** Maximum part for kinds that no list shows, while lists show others. It is smaller if the month has too few requests for both. */
const UNLISTED_PART = 1 / 3;
export const UNLISTED_PART_OF_FEW = 1 / 6;
const FEW_REQUESTS = 3_000;
/** The maximum factor by which a list lengthens the intervals of its kinds, if there is no monthly limit. */
const MAX_PUT_OFF = 12;

const MONTH = 30 * DAY;
/** Questions are expected as if their whole share (QUESTION_SHARE) had been asked in the month, until so much of it shows how many there are. */
const EXPECTED_OVER = 5 * DAY;

/** Returns the requests per ms that checks may make. With the expected questions they use up the month's budget. */
function rateOf({ forChecks, limit, used, questions = 0, resetsAt }: BudgetState, now: Instant): number | undefined {
  if (forChecks === undefined || limit === undefined) return undefined;
  const left = Math.max(1, resetsAt - now);
  const asked = (questions + (limit * QUESTION_SHARE * EXPECTED_OVER) / MONTH) / (Math.max(0, MONTH - left) + EXPECTED_OVER);
  return forChecks === 0 ? 0 : Math.max(forChecks / left, (limit - used) / left - asked);
}

interface PlannedLoad extends Load {
  /** How far a list replaces the check, from 0 to 1. */
  readonly trust: number;
  /** The load is a sweep, or a check of a kind that a list shows. */
  readonly isListed: boolean;
}

export function cadence(tasks: readonly Task[], context: PlanContext): Cadence {
  const { budget, now, refreshes = [] } = context;
  const lists = worthwhile(tasks, context);
  const checks = tasks.map((task) => loadOf(task, lists, context));
  const others = refreshes.map(({ key, cost, floor, watchers }): PlannedLoad => {
    const ceiling = Math.max(floor, CEILING);
    const weight = weightOf(undefined, { watchers, now });
    return { key, cost: Math.max(MIN_COST, cost), floor, ceiling, weight, trust: 0, isListed: false };
  });
  const sweeps = lists.map((list) => sweepLoad(list, tasks, context));
  const all = [...sweeps, ...checks, ...others];
  const costs = byKey(all, ({ cost }) => cost);
  const rate = rateOf(budget, now);
  if (rate === undefined) {
    const putOff = ({ floor, trust }: PlannedLoad): number => floor * Math.min(MAX_PUT_OFF, 1 / (1 - trust));
    return { intervals: byKey(all, putOff), costs, stretch: 1, limited: false };
  }
  if (lists.length === 0) return { ...spread(all, rate), costs, limited: true };
  const { confirming = rate * CONFIRMING_PART } = context;
  const planned = rate * (1 - Math.min(MAX_CONFIRMING, Math.max(MIN_CONFIRMING, confirming / rate)));
  const together = spread(all, planned);
  const unlisted = all.filter(({ isListed }) => !isListed);
  const spent = unlisted.reduce((total, { key, cost }) => total + cost / (together.intervals.get(key) ?? Infinity), 0);
  const part = (budget.limit ?? Infinity) < FEW_REQUESTS ? UNLISTED_PART_OF_FEW : UNLISTED_PART;
  if (spent <= planned * part) return { ...together, costs, limited: true };
  const [own, listed] = [
    spread(unlisted, planned * part),
    spread(
      all.filter(({ isListed }) => isListed),
      planned * (1 - part),
    ),
  ];
  return {
    intervals: new Map([...listed.intervals, ...own.intervals]),
    costs,
    stretch: Math.max(own.stretch, listed.stretch),
    limited: true,
  };
}

const byKey = <L extends Load>(loads: readonly L[], value: (load: L) => number): ReadonlyMap<string, number> =>
  new Map(loads.map((load) => [load.key, value(load)]));

const costOf = (record: Pick<CheckRecord, 'cost'> | undefined): number => Math.max(MIN_COST, record?.cost ?? DEFAULT_COST);

/** Returns the lists whose sweep costs less than the checks that it replaces. */
function worthwhile(tasks: readonly Task[], { sweeps = [], checkRecords }: PlanContext): readonly SweepFacts[] {
  return sweeps.filter(({ list, cost }) => {
    const listed = tasks.filter(({ feed }) => feed.list === list);
    return listed.reduce((total, { feed, subject }) => total + costOf(checkRecords.read(feed.id, subjectKey(subject))), 0) > cost;
  });
}

const trustIn = (task: Task, lists: readonly SweepFacts[]): number => lists.find(({ list }) => list === task.feed.list)?.trust(task) ?? 0;

function weightAt(task: Task, { checkRecords, now }: PlanContext): number {
  const record = checkRecords.read(task.feed.id, subjectKey(task.subject));
  const absent = record !== undefined && isAbsent(record);
  return weightOf(record, {
    watchers: task.watchers ?? 1,
    now,
    absent,
    wide: task.feed.scope === 'global',
  });
}

/** Returns the load of a check. If a list shows its subject, it is weighted by what the list may miss. */
function loadOf(task: Task, lists: readonly SweepFacts[], context: PlanContext): PlannedLoad {
  const record = context.checkRecords.read(task.feed.id, subjectKey(task.subject));
  const absent = record !== undefined && isAbsent(record);
  const floor = interval(task.feed, context.pollMinSeconds) * (absent ? ABSENT_FACTOR : 1);
  const trust = trustIn(task, lists);
  return {
    key: taskKey(task),
    cost: costOf(record),
    weight: weightAt(task, context) * (1 - trust),
    floor,
    ceiling: Math.max(floor, isUnderWay(record, context.now) ? CEILING : CEILING / (1 - trust)),
    trust: isUnderWay(record, context.now) || isGappy(record) ? 0 : trust,
    isListed: task.feed.list !== undefined || task.feed.scope === 'global',
  };
}

/** Tells whether the last check lacks rows. The next one may read them, and no list shows that. */
const isGappy = (record: Pick<CheckRecord, 'broken' | 'hidden' | 'complete' | 'failures'> | undefined): boolean =>
  record !== undefined && (record.broken > 0 || record.hidden > 0 || !record.complete || record.failures > 0);

const isUnderWay = (record: Pick<CheckRecord, 'priorityWindows'> | undefined, now: Instant): boolean =>
  (record?.priorityWindows ?? []).some(({ endsAt }) => endsAt === undefined || endsAt > now);

function sweepLoad(facts: SweepFacts, tasks: readonly Task[], context: PlanContext): PlannedLoad {
  const listed = tasks.filter(({ feed }) => feed.list === facts.list);
  // Before its first sweep a list has no trust; the minimum still gives it a weight.
  const believed = listed.reduce((total, task) => total + Math.max(MIN_TRUST, facts.trust(task)) * weightAt(task, context), 0);
  const floor = context.pollMinSeconds * SECOND;
  return {
    key: sweepKey(facts.list),
    cost: Math.max(MIN_COST, facts.cost),
    weight: believed,
    floor,
    ceiling: Math.max(floor, CEILING),
    trust: 0,
    isListed: true,
  };
}

/** Minimum trust in the weight of a sweep: an omitted or distrusted project may be in the next sweep again. */
const MIN_TRUST = 0.1;

export interface Call {
  readonly at: Instant;
  /** A rule on an extreme or a z-score would alert, so the check needs history. */
  readonly needsHistory?: boolean | undefined;
}

export interface DueContext {
  readonly checkRecords: Pick<CheckRecords, 'read'>;
  readonly pollMinSeconds: number;
  readonly now: Instant;
  readonly cadence?: Pick<Cadence, 'intervals'> & Partial<Pick<Cadence, 'limited'>>;
  /** Number of checks, including running ones; by default the number of tasks. */
  readonly checks?: number;
  /** Returns when a list showed a change of the task's subject that no check has confirmed yet. */
  readonly callOf?: (task: Task) => Call | undefined;
  /** Returns when a list was last read. Checks whose subjects it shows run after its sweeps, so that both can be compared. */
  readonly sweptAt?: (list: ListName) => Instant | undefined;
  /** Returns since when a first check is wanted. With a monthly limit it is due one planned interval later. */
  readonly wantedSince?: (key: string) => Instant | undefined;
  /** Returns the first time after `after` at which a value that a rule waits for has lasted. */
  readonly heldUntil?: (key: string, after: Instant) => Instant | undefined;
  /** Spreads first checks from a start over `over` ms. By default they are due at once. */
  readonly spread?: { readonly from: Instant; readonly over: number };
}

export interface DueCheck {
  readonly task: Task;
  /** When the check is due; now if it never ran. */
  readonly at: Instant;
  readonly every: number;
  readonly neverRan: boolean;
  /** The check never ran, or a chat came back since. */
  readonly isFirst: boolean;
  /** Its companion was just checked, so its responses are cached. */
  readonly isCached?: boolean;
}

/** Time per check when first checks are spread at a start, so that questions fit in between. */
export const START_SPREAD = SECOND;

function turnAtStart(task: Task, { now, spread }: DueContext): Instant {
  // A start in the future was recorded before the clock was set back.
  if (spread === undefined || spread.from > now || later(spread.from, spread.over) <= now) return now;
  return later(spread.from, Math.floor(turnOf(taskKey(task)) * spread.over));
}

/** How long a cached response may serve another check: a part of its interval, so that no two checks in a row miss a change. */
const SHARED_FOR = HOUR;
const SHARED_PART = 1 / 8;
export const sharedFor = (every: number): number => Math.min(every * SHARED_PART, SHARED_FOR);

/** Tells whether a check can use the cached responses of its companion. Under a limit it is then made at once. */
function isCachedByCompanion(task: Task, { checkRecords, cadence: plan, now }: DueContext): boolean {
  const { feed, subject } = task;
  if (plan?.limited !== true || feed.companion === undefined) return false;
  const name = subjectKey(subject);
  const companion = checkRecords.read(feed.companion, name);
  const every = plan.intervals.get(taskKey(task));
  if (companion?.okAt === undefined || companion.failures > 0 || every === undefined) return false;
  const age = now - companion.triedAt;
  const own = checkRecords.read(feed.id, name)?.triedAt ?? -Infinity;
  return age >= 0 && age < sharedFor(every) && companion.triedAt - own >= sharedFor(every);
}

/** Delays a planned check until the next sweep of its list, unless the list was swept within `COMPARED_WITHIN`. */
function afterSweep({ feed: { list } }: Task, planned: Instant, { cadence: plan, sweptAt, now }: DueContext): Instant {
  const swept = list && sweptAt?.(list);
  const every = list && plan?.intervals.get(sweepKey(list));
  if (swept === undefined || every === undefined || planned > now || now - swept <= COMPARED_WITHIN) return planned;
  const next = later(swept, every);
  return next > now ? next : planned;
}

function dueTime(task: Task, context: DueContext): Omit<DueCheck, 'isFirst' | 'isCached'> {
  const { checkRecords, pollMinSeconds, now, cadence: plan, callOf, wantedSince } = context;
  const last = checkRecords.read(task.feed.id, subjectKey(task.subject));
  const floor = interval(task.feed, pollMinSeconds) * (last !== undefined && isAbsent(last) ? ABSENT_FACTOR : 1);
  const neverRan = last === undefined;
  const key = taskKey(task);
  const every = plan?.intervals.get(key) ?? floor;
  const call = callOf?.(task);
  if (neverRan) {
    const since = call === undefined && plan?.limited === true ? wantedSince?.(key) : undefined;
    const planned = since === undefined ? now : later(since, Math.floor(turnOf(key) * every));
    return {
      task: call === undefined ? task : { ...task, confirms: confirmed(call) },
      at: afterSweep(task, planned, context),
      every: floor,
      neverRan,
    };
  }
  // The clock may have been set back; waiting for it would stop the feed.
  if (last.triedAt > now) return { task, at: now, every: floor, neverRan };
  // A call stays until a check succeeds. A failed check is repeated soon, whatever its planned interval.
  if (call !== undefined && call.at > (last.okAt ?? 0))
    return {
      task: { ...task, confirms: confirmed(call) },
      at: later(last.triedAt, Math.max(floor, Math.min(every, afterFailures(last, floor)))),
      every: floor,
      neverRan,
    };
  // Dated changes are checked on their date, but never before the minimum interval has passed.
  const scheduled = Math.min(
    scheduledCheck(last) ?? Infinity,
    returnDue(task, last.triedAt, every) ?? Infinity,
    context.heldUntil?.(key, last.triedAt) ?? Infinity,
  );
  const isUnanswered = last.failures > 0 && !isAbsent(last);
  const rest = isUnanswered ? Math.min(every, afterFailures(last, floor)) : every;
  const planned = afterSweep(task, later(last.triedAt, rest), context);
  const at = instant(Math.max(later(last.triedAt, floor), Math.min(planned, scheduled)));
  return scheduled < planned
    ? { task: { ...task, confirms: { needsHistory: false } }, at, every: floor, neverRan }
    : { task, at, every, neverRan };
}

/** Waits after failures. They may end in a pause that the service asked for, because a check then makes no request. */
const FAILURE_WAIT = { first: 15 * MINUTE, most: 6 * HOUR };

/** Returns the ms until the next check: the minimum interval after a success, and at least that after failures. */
const afterFailures = ({ failures }: Pick<CheckRecord, 'failures'>, floor: number): number =>
  failures === 0 ? floor : Math.max(floor, backoff(FAILURE_WAIT, failures));

const confirmed = ({ needsHistory = false }: Call): Task['confirms'] => ({ needsHistory });

/** Returns a number from 0 to 1, always the same for a check, so that checks spread over their interval. */
const turnOf = (key: string): number => crc32(key) / 2 ** 32;

/** The part of an interval after which a check is made for a chat that left and returned. */
const RETURN_PART = 1 / 4;

const returnDue = ({ returnedAt }: Task, triedAt: Instant, every: number): Instant | undefined =>
  returnedAt !== undefined && triedAt <= returnedAt ? instant(Math.max(returnedAt, later(triedAt, every * RETURN_PART))) : undefined;

const isAwaited = ({ feed, subject, returnedAt }: Task, checkRecords: Pick<CheckRecords, 'read'>): boolean =>
  returnedAt !== undefined && (checkRecords.read(feed.id, subjectKey(subject))?.triedAt ?? 0) <= returnedAt;

function lastedAt({ feed, subject }: Task, { checkRecords, heldUntil, now }: DueContext): Instant | undefined {
  const at = heldUntil?.(taskKey({ feed, subject }), checkRecords.read(feed.id, subjectKey(subject))?.triedAt ?? now);
  return at !== undefined && at <= now ? at : undefined;
}

export interface DueChecks {
  /** First checks come before late ones. */
  readonly checks: readonly DueCheck[];
  /** When the next check is due; undefined if there is none. */
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
    const isCached = isCachedByCompanion(task, context);
    if (begins > now && !isCached) {
      next = instant(Math.min(next ?? begins, begins));
      continue;
    }
    const every = plan?.intervals.get(taskKey(task));
    // A response from during the absence would show only a part of the changes, one from before a list's call not what the list shows, and
    // one from before a value had lasted not that it did.
    const reasons = [awaited ? task.returnedAt : undefined, context.callOf?.(task)?.at, lastedAt(task, context)].filter(
      (at) => at !== undefined,
    );
    const notOlderThan = reasons.length === 0 ? {} : { notOlderThan: instant(Math.max(...reasons)) };
    const known = { ...check.task, ...(every === undefined ? {} : { every }), ...notOlderThan };
    checks.push({ ...check, task: known, isFirst: awaited || check.neverRan, ...(isCached && { at: now, isCached }) });
  }
  const [first, late] = [checks.filter(({ isFirst }) => isFirst), checks.filter(({ isFirst }) => !isFirst)];
  return { checks: [...first, ...byLateness(late, { now, round: roundOf(context.checks ?? tasks.length) })], next };
}
