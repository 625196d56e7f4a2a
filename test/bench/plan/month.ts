/** A month under a plan, minute by minute: what was spent, how old what is known was, and how long events waited. Deterministic. */
import type { BudgetState } from '../../../src/analytics/analytics.js';
import { leftForChecks, reservedFor } from '../../../src/analytics/budget/question-share.js';
import type { CheckRecord } from '../../../src/alerts/checks/check-records.js';
import { DAY, MINUTE, later, type Instant } from '../../../src/base/clock.js';
import { subjectKey } from '../../../src/feeds/feed.js';
import { taskKey, type Task } from '../../../src/jobs/wanted-checks.js';
import { afterRun, trustOf, type DetectorDocument } from '../../../src/jobs/plan/detect.js';
import { fading, worthOf } from '../../../src/jobs/plan/priority.js';
import { cadence, detectorKey, due, interval, type Cadence } from '../../../src/jobs/plan.js';
import { dice, END, START, underWay, type Plan, type Thing } from './world.js';

const POLL_MIN_SECONDS = 60;
const REPLAN = 10 * MINUTE;
/** Ages are read so often. */
const SAMPLED = 10 * MINUTE;
/** Of the month's requests, those that people ask; at moments of their own. */
const ASKED_PART = 0.1;

export interface Outcome {
  readonly spent: number;
  readonly questions: number;
  readonly refusedQuestions: number;
  /** By feed: mean age, the same weighted by what is at stake, the worst age, and how long events waited; in milliseconds. */
  readonly feeds: ReadonlyMap<string, Ages>;
  readonly all: Ages;
}
export interface Ages {
  readonly mean: number;
  readonly weighted: number;
  readonly worst: number;
  readonly delay: number;
}

export type Way = 'planned' | 'round-robin';

export function month(things: readonly Thing[], plan: Plan, way: Way): Outcome {
  const byKey = new Map(things.map((thing) => [taskKey(thing.task), thing]));
  const tasks = things.map(({ task }) => task);
  const records = new Map<string, CheckRecord>();
  const checkRecords = { read: (feed: string, subject: string) => records.get(`${feed}/${subject}`) };
  const roll = dice(7);
  const questions = Array.from({ length: Math.floor(plan.limit * ASKED_PART) }, () => later(START, roll() * (END - START))).toSorted(
    (a, b) => a - b,
  );
  const sums = new Map(
    things.map((thing) => [taskKey(thing.task), { age: 0, weighted: 0, weight: 0, worst: 0, waited: 0, events: 0, next: 0 }]),
  );
  let [used, asked, refused] = [0, 0, 0];

  const budget = (now: Instant): BudgetState => {
    const standing = { limit: plan.limit, used, start: START, end: END, now };
    return { used, limit: plan.limit, resetsAt: END, reserved: reservedFor(standing), forChecks: leftForChecks(standing) };
  };
  const check = (thing: Thing, now: Instant): boolean => {
    const stakes = underWay(thing, now);
    const cost = thing.cost(plan, stakes.length > 0);
    if (cost > (budget(now).forChecks ?? 0)) return false;
    used += cost;
    const key = taskKey(thing.task);
    const last = records.get(key);
    const sum = sums.get(key);
    if (sum === undefined) throw new Error(`nobody counts ${key}`);
    let events = 0;
    for (
      let happening = thing.happenings[sum.next];
      happening !== undefined && happening.at <= now;
      happening = thing.happenings[sum.next]
    ) {
      sum.next += 1;
      // The first check is silent.
      if (last === undefined) continue;
      events += 1;
      sum.waited += now - happening.at;
      sum.events += 1;
    }
    records.set(key, {
      ...{ feed: thing.task.feed.id, subject: subjectKey(thing.task.subject), triedAt: now, okAt: now, failures: 0, hidden: 0, broken: 0 },
      ...{
        complete: true,
        eventAt: events > 0 ? now : last?.eventAt,
        cost,
        changes: fading(last, { now, events }),
        priorityWindows: stakes,
      },
    });
    return true;
  };

  const step =
    way === 'planned'
      ? planned({ things, byKey, tasks, checkRecords, budget, plan, check, spend: (calls) => void (used += calls) })
      : inTurn({ things, budget, plan, records, check });
  for (let now = START; now < END; now = later(now, plan.step)) {
    for (; (questions[0] ?? END) <= now; questions.shift()) {
      if (used < plan.limit) [used, asked] = [used + 1, asked + 1];
      else refused += 1;
    }
    step(now);
    if ((now - START) % SAMPLED !== 0) continue;
    for (const thing of things) {
      const sum = sums.get(taskKey(thing.task));
      const at = records.get(taskKey(thing.task))?.okAt ?? START;
      if (sum === undefined) continue;
      const weight = stakeOf(thing, now);
      sum.age += now - at;
      sum.weighted += weight * (now - at);
      sum.weight += weight;
      sum.worst = Math.max(sum.worst, now - at);
    }
  }

  const samples = (END - START) / SAMPLED;
  const ages = (some: readonly Thing[]): Ages => {
    const parts = some.flatMap((thing) => sums.get(taskKey(thing.task)) ?? []);
    const total = (of: (part: (typeof parts)[number]) => number): number => parts.reduce((sum, part) => sum + of(part), 0);
    return {
      mean: total(({ age }) => age) / (samples * parts.length),
      weighted: total(({ weighted }) => weighted) / total(({ weight }) => weight),
      worst: Math.max(...parts.map(({ worst }) => worst)),
      delay:
        total(({ waited }) => waited) /
        Math.max(
          1,
          total(({ events }) => events),
        ),
    };
  };
  const ids = [...new Set(things.map(({ task }) => task.feed.id))];
  return {
    spent: used,
    questions: asked,
    refusedQuestions: refused,
    feeds: new Map(ids.map((id) => [id, ages(things.filter(({ task }) => task.feed.id === id))])),
    all: ages(things),
  };
}

/** What a moment of waiting costs there, by the truth of the world: what is under way, how often something happens, and who waits. */
const stakeOf = (thing: Thing, now: Instant): number => {
  const worth = Math.max(1, ...underWay(thing, now).map((stake) => worthOf(stake, now)));
  return worth * (1 + thing.happenings.length) * (1 + Math.log2(thing.task.watchers ?? 1));
};

interface Means {
  readonly things: readonly Thing[];
  readonly budget: (now: Instant) => BudgetState;
  readonly plan: Plan;
  readonly check: (thing: Thing, now: Instant) => boolean;
}

/** Each check in its turn, at the pace at which the month lasts; never more often than the floor. */
function inTurn({ things, budget, records, plan, check }: Means & { readonly records: ReadonlyMap<string, CheckRecord> }) {
  let credit = things.reduce((total, thing) => total + thing.cost(plan, false), 0);
  let turn = 0;
  return (now: Instant): void => {
    credit += ((budget(now).forChecks ?? 0) / Math.max(1, END - now)) * plan.step;
    for (let tried = 0; tried < things.length; tried += 1) {
      const thing = things[turn % things.length];
      if (thing === undefined) return;
      const last = records.get(taskKey(thing.task))?.triedAt;
      const rested = last === undefined || now - last >= interval(thing.task.feed, POLL_MIN_SECONDS);
      const cost = thing.cost(plan, underWay(thing, now).length > 0);
      if (rested && cost > credit) return;
      if (rested && check(thing, now)) credit -= cost;
      turn += 1;
    }
    credit = Math.min(credit, 100);
  };
}

const LISTS = [
  { id: 'live-markets', feed: 'proposals', rows: 4, rest: true },
  { id: 'projects-launch', feed: 'supply', rows: 31, rest: false },
] as const;

/** As the watcher does it: plan, run the detectors that are due, look at what is due and affordable. */
function planned({
  things,
  byKey,
  tasks,
  checkRecords,
  budget,
  plan,
  check,
  spend,
}: Means & {
  readonly byKey: ReadonlyMap<string, Thing>;
  readonly tasks: readonly Task[];
  readonly checkRecords: { read(feed: string, subject: string): CheckRecord | undefined };
  readonly spend: (calls: number) => void;
}) {
  const documents = new Map<string, DetectorDocument>();
  let current: Cadence | undefined;
  let plannedAt = START;
  const facts = () =>
    LISTS.flatMap(({ id, feed }) => {
      const document = documents.get(id);
      if (document === undefined) return [];
      const covers = (subject: string): boolean => Object.hasOwn(document.prints, subject);
      return [{ id, feed, trust: trustOf(document), cost: document.cost, covers }];
    });
  const detect = (now: Instant): void => {
    for (const { id, feed, rows, rest } of LISTS) {
      const every = current?.intervals.get(detectorKey(id));
      const last = documents.get(id);
      const calls = Math.min(plan.pages, Math.ceil(rows / plan.rows));
      if (last !== undefined && (every === undefined || later(last.at, every) > now)) continue;
      if (calls > (budget(now).forChecks ?? 0)) continue;
      spend(calls);
      const mine = things.filter(({ task }) => task.feed.id === feed);
      const shown = rest ? mine : mine.slice(0, plan.rows * plan.pages);
      const seen = new Map(
        shown.map(({ task, happenings }) => [
          subjectKey(task.subject),
          String(happenings.filter(({ at, listed }) => listed && at <= now).length),
        ]),
      );
      const subjects = mine.map(({ task }) => subjectKey(task.subject));
      const recordOf = (subject: string) => checkRecords.read(feed, subject);
      documents.set(id, afterRun(last, { at: now, prints: seen, rest: undefined }, { subjects, recordOf, source: 'the month', calls }));
    }
  };
  return (now: Instant): void => {
    if (current === undefined || now - plannedAt >= REPLAN) {
      current = cadence(tasks, { checkRecords, pollMinSeconds: POLL_MIN_SECONDS, now, budget: budget(now), detectors: facts() });
      plannedAt = now;
    }
    detect(now);
    const called = ({ feed, subject }: Task): Instant | undefined =>
      documents.get(LISTS.find((list) => list.feed === feed.id)?.id ?? '')?.called[subjectKey(subject)];
    for (const { task } of due(tasks, { checkRecords, pollMinSeconds: POLL_MIN_SECONDS, now, cadence: current, called }).checks) {
      const thing = byKey.get(taskKey(task));
      if (thing !== undefined) check(thing, now);
    }
  };
}

/** In the largest unit that fits: `2.3 d`, `4.1 h`, `12 min`. */
export function span(milliseconds: number): string {
  if (milliseconds >= DAY) return `${(milliseconds / DAY).toFixed(1)} d`;
  return milliseconds >= 60 * MINUTE ? `${(milliseconds / (60 * MINUTE)).toFixed(1)} h` : `${(milliseconds / MINUTE).toFixed(1)} min`;
}
