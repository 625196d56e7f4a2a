/**
 * This module computes how late changes are detected on the present plan, and whether lists show them. It makes no request.
 */
import { screenKinds } from '../domain/screen.js';
import type { BudgetState } from '../analytics/analytics.js';
import { QUESTION_SHARE } from '../analytics/budget.js';
import { isAbsent, type CheckRecords } from '../alerts/checks/check-records.js';
import { kindsFor, projectOfMarket, type Target } from '../alerts/watchlist/entry.js';
import { DAY, later, type Instant } from '../base/clock.js';
import type { ExpectedDelay, FlipDelay } from '../chat/status-strip.js';
import { MEASURES } from '../domain/measures.js';
import type { Slug } from '../domain/scalars.js';
import { subjectKey, type Feed } from '../feeds/feed.js';
import { LISTS, type ListName } from '../feeds/listed.js';
import { DEFAULT_SWEEP_COST, type ListedState, type SweepFacts, type Sweeps } from '../sweeps/sweeps.js';
import { cadence as planOf, refreshKey, sweepKey, type Cadence } from './plan.js';
import { taskKey, type Task } from './wanted-checks.js';

/** How late alerts are still useful: votes last days, premiums are traded within hours, the rest is read as a report. */
const USEFUL_WITHIN: Readonly<Record<string, number>> = {
  proposals: DAY,
  launches: DAY,
  premium: 2 * DAY,
  supply: 2 * DAY,
  treasury: 2 * DAY,
};
const USEFUL_OTHERWISE = 14 * DAY;

/** Minimum trust in a list. From a less trusted one no changes are expected. */
const MIN_TRUST = 0.5;

export interface ExpectedContext {
  readonly cadence: Pick<Cadence, 'intervals'>;
  readonly sweeps: readonly Pick<SweepFacts, 'list' | 'trust'>[];
  /** Tells whether a list is read. It is expected to show its kinds even before its first sweep. */
  readonly isRead: (list: ListName) => boolean;
  /** Tells whether the list of live markets has margins. While unknown, it is expected to. */
  readonly hasMargins?: (() => boolean | undefined) | undefined;
  readonly checkRecords: Pick<CheckRecords, 'read'>;
}

/** Returns delays by kind, in the order of the tasks, without data that the service does not have. */
export function expectedDelays(tasks: readonly Task[], context: ExpectedContext): readonly ExpectedDelay[] {
  const kinds = new Map<string, ExpectedDelay>();
  const listed = new Map<string, { readonly checks: number; readonly within: number }>();
  const checks = new Map<string, number>();
  for (const task of tasks) {
    const record = context.checkRecords.read(task.feed.id, subjectKey(task.subject));
    if (record !== undefined && isAbsent(record)) continue;
    const { within, isListed } = delayOf(task, context);
    if (within === undefined) continue;
    const kind = task.feed.id;
    const before = kinds.get(kind);
    const flips = laterFlip(before?.flips, flipDelayOf(task, context));
    checks.set(kind, (checks.get(kind) ?? 0) + 1);
    const shown = listed.get(kind) ?? { checks: 0, within: 0 };
    if (isListed) listed.set(kind, { checks: shown.checks + 1, within: Math.max(shown.within, within) });
    kinds.set(kind, {
      kind,
      within: Math.max(within, before?.within ?? 0),
      useful: USEFUL_WITHIN[kind] ?? USEFUL_OTHERWISE,
      isListed: isListed && (before?.isListed ?? true),
      ...(flips && { flips }),
    });
  }
  return [...kinds.values()].map((one) => {
    const shown = listed.get(one.kind);
    const isMost = shown !== undefined && shown.within < one.within && shown.checks * 2 > (checks.get(one.kind) ?? 0);
    return isMost ? { ...one, mostly: shown.within } : one;
  });
}

function delayOf(task: Task, { cadence: { intervals }, sweeps, isRead }: ExpectedContext) {
  const { feed, subject } = task;
  const facts = sweeps.find(({ list }) => list === feed.list);
  const swept = facts && intervals.get(sweepKey(facts.list));
  const own = intervals.get(taskKey(task));
  if (facts !== undefined && swept !== undefined && (!isRead(facts.list) || facts.trust(task) >= MIN_TRUST))
    return { within: Math.min(swept, own ?? swept), isListed: true };
  // A wallet is checked when its refresh ends, and its snapshot shows nothing newer before.
  const refreshed = typeof subject === 'object' && 'address' in subject ? intervals.get(refreshKey(subject.address)) : undefined;
  return { within: refreshed ?? own, isListed: false };
}

/** Returns how late a flip is seen: in a list that has margins, or else in the project's own check. */
function flipDelayOf(task: Task, context: ExpectedContext): FlipDelay | undefined {
  if (!task.feed.alerts.measures.some((measure) => MEASURES[measure].flips)) return undefined;
  const { within, isListed } = delayOf(task, context);
  const own = context.cadence.intervals.get(taskKey(task));
  if (!isListed) return within === undefined ? undefined : { within, by: 'checks' };
  if (context.hasMargins?.() !== false) return within === undefined ? undefined : { within, by: 'list' };
  return own === undefined ? undefined : { within: own, by: 'checks, as the list has no margins' };
}

const laterFlip = (one: FlipDelay | undefined, other: FlipDelay | undefined): FlipDelay | undefined =>
  one !== undefined && (other === undefined || one.within >= other.within) ? one : other;

/** Computes the delays of a plan with `limit` requests a month and a number of projects, without records or lists. */
export function delaysOfPlan({
  projects,
  limit,
  feeds,
  now,
}: {
  projects: readonly Slug[];
  limit: number;
  feeds: readonly Feed[];
  now: Instant;
}): readonly ExpectedDelay[] {
  const tasks = feeds.flatMap((feed): readonly Task[] =>
    feed.scope === 'wallet' || feed.scope === 'screen'
      ? []
      : feed.scope === 'global'
        ? [{ feed, subject: 'all' }]
        : projects.map((slug) => ({ feed, subject: { slug, name: slug } })),
  );
  const forChecks = Math.floor(limit * (1 - QUESTION_SHARE));
  const budget: BudgetState = { used: 0, questions: 0, limit, forChecks, resetsAt: later(now, MONTH) };
  const sweeps = LISTS.map((list): SweepFacts => ({
    list,
    cost: DEFAULT_SWEEP_COST,
    trust: ({ feed }) => (feed.list === list ? UNPROVEN : 0),
  }));
  const checkRecords = { read: () => undefined };
  const cadence = planOf(tasks, { checkRecords, pollMinSeconds: POLL_SECONDS, now, budget, sweeps });
  return expectedDelays(tasks, { cadence, sweeps, isRead: () => true, checkRecords });
}
const MONTH = 30 * DAY;
/** The trust in a list of which nothing was compared yet. */
const UNPROVEN = 0.75;
const POLL_SECONDS = 60;

export interface ListReport {
  readonly list: ListName;
  readonly at: Instant | undefined;
  /** Milliseconds between sweeps. */
  readonly every: number | undefined;
  readonly isFailing: boolean;
  /** The trust in the least and the most trusted kind; undefined if no kind is trusted. */
  readonly trust: readonly [number, number] | undefined;
  /** Projects that the list omits or was wrong about. They are checked as without the list. */
  readonly uncovered: readonly string[];
}

export interface ObservedCheck {
  /** Milliseconds between the subject's own checks. */
  readonly every: number | undefined;
  /** Undefined if no list shows the check's changes, or none is read. */
  readonly list?: { readonly name: ListName; readonly at: Instant | undefined; readonly state: ListedState } | undefined;
  /** Set under a monthly limit, for a kind whose topics can flip. */
  readonly flips?: FlipDelay | undefined;
}

export interface ObservationContext {
  readonly tasks: () => readonly Task[];
  readonly cadence: () => Pick<Cadence, 'intervals' | 'limited'>;
  readonly sweeps: Pick<Sweeps, 'facts' | 'state' | 'sweptAt' | 'hasMargins'>;
  readonly checkRecords: Pick<CheckRecords, 'read'>;
}

/** What people and operators are shown of the plan. */
export interface PlanObservation {
  /** Returns delays for targets, by default for all that is watched. Undefined without a monthly limit. */
  delays(targets?: readonly Target[]): readonly ExpectedDelay[] | undefined;
  lists(): readonly ListReport[];
  /** Returns the ms until a change of the kind is seen. A target that nobody watches yet is estimated from the others. */
  checkedWithin(target: Target, kind: string): number | undefined;
  check(feed: string, subject: string): ObservedCheck | undefined;
}

function isOf(target: Target, { feed, subject }: Task): boolean {
  if (target.kind === 'screen') return screenKinds(target.filter).includes(feed.id);
  if (kindsFor(target, [feed.id]).length === 0) return false;
  if (target.kind === 'wallet') return subjectKey(subject) === target.address;
  if (target.kind === 'market') return feed.scope === 'global' || subjectKey(subject) === projectOfMarket(target);
  return target.kind !== 'project' || feed.scope === 'global' || subjectKey(subject) === target.slug;
}

export function createObservation({ tasks, cadence, sweeps, checkRecords }: ObservationContext): PlanObservation {
  const isRead = (list: ListName): boolean => sweeps.sweptAt(list) !== undefined;
  const expectedContext = (plan: Pick<Cadence, 'intervals'>): ExpectedContext => ({
    cadence: plan,
    sweeps: sweeps.facts(),
    isRead,
    hasMargins: () => sweeps.hasMargins(),
    checkRecords,
  });
  return {
    delays(targets) {
      const plan = cadence();
      if (!plan.limited) return undefined;
      const wanted = targets === undefined ? tasks() : tasks().filter((task) => targets.some((target) => isOf(target, task)));
      return expectedDelays(wanted, expectedContext(plan));
    },
    checkedWithin(target, kind) {
      const context = expectedContext(cadence());
      const ofKind = tasks().filter(({ feed }) => feed.id === kind);
      const own = ofKind.filter((task) => isOf(target, task));
      const delays = (own.length === 0 ? ofKind : own).flatMap((task) => delayOf(task, context).within ?? []);
      return delays.length === 0 ? undefined : Math.max(...delays);
    },
    lists() {
      const plan = cadence();
      return LISTS.flatMap((list) => listReport(list, { tasks: tasks(), cadence: plan, sweeps }) ?? []);
    },
    check(feed, subject) {
      const task = tasks().find((one) => taskKey(one) === `${feed}/${subject}`);
      if (task === undefined) return undefined;
      const plan = cadence();
      const { intervals } = plan;
      const state = sweeps.state(task);
      const isUsed = state !== undefined && (state.state === 'failing' || intervals.has(sweepKey(state.list)));
      return {
        every: intervals.get(taskKey(task)),
        list: isUsed ? { name: state.list, at: state.at, state: state.state } : undefined,
        flips: plan.limited ? flipDelayOf(task, expectedContext(plan)) : undefined,
      };
    },
  };
}

/** Returns undefined for a list that is neither planned nor failing. */
function listReport(
  list: ListName,
  {
    tasks,
    cadence: { intervals },
    sweeps,
  }: Pick<ObservationContext, 'sweeps'> & { readonly tasks: readonly Task[]; readonly cadence: Pick<Cadence, 'intervals'> },
): ListReport | undefined {
  const listed = tasks.filter(({ feed }) => feed.list === list);
  const states = listed.map((task) => ({ task, ...sweeps.state(task) }));
  const isFailing = states.some(({ state }) => state === 'failing');
  const every = intervals.get(sweepKey(list));
  if (every === undefined && !isFailing) return undefined;
  const own = sweeps.facts().find((one) => one.list === list);
  const trusts = states.flatMap(({ task, state }) => (state === 'shown' && own !== undefined ? [own.trust(task)] : []));
  const uncovered = states.filter(({ state }) => state === 'omitted' || state === 'wrong').map(({ task }) => subjectKey(task.subject));
  return {
    list,
    at: states[0]?.at,
    every,
    isFailing,
    trust: trusts.length === 0 ? undefined : [Math.min(...trusts), Math.max(...trusts)],
    uncovered: [...new Set(uncovered)],
  };
}
