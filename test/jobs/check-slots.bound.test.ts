/** The bounds of docs/operations.md ("When checks run late"), over generated loads: no check waits longer, whatever the others do. */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CheckRecord } from '../../src/alerts/checks/check-records.js';
import { DAY, instant, later, MINUTE, SECOND, type Instant } from '../../src/base/clock.js';
import { subjectKey } from '../../src/feeds/feed.js';
import { taskKey, type Task } from '../../src/jobs/wanted-checks.js';
import { cadence, due, START_SPREAD } from '../../src/jobs/plan.js';
import { CHECK_DEADLINE, MAX_FIRST_RUNNING, MAX_RUNNING } from '../../src/jobs/plan/check-order.js';
import { CheckSlots } from '../../src/jobs/check-slots.js';
import { handClock } from '../support/clock.js';
import { runs } from '../support/properties.js';
import { project, surface } from './fake-service.js';

const START = instant(Date.UTC(2026, 10, 20, 12));
const TICK = 30 * SECOND;
const LASTS = 100 * MINUTE;

/** As docs/operations.md states them. */
const lateBound = (checks: number): number => 2 * Math.ceil(checks / (MAX_RUNNING - MAX_FIRST_RUNNING)) * CHECK_DEADLINE + TICK;
const firstBound = (place: number, chats: number): number => (1 + Math.ceil((place * chats) / MAX_FIRST_RUNNING)) * CHECK_DEADLINE + TICK;

interface Kind {
  readonly every: number;
  readonly chat: number;
  /** Milliseconds that a run takes. */
  readonly takes: number;
  readonly fails: 'never' | 'unreachable' | 'unknown';
}

interface Load {
  readonly kept: readonly Kind[];
  /** Watched later by one chat more: `/watch all`. */
  readonly burst: readonly Kind[];
  /** With each tick so many are watched, and those of some ticks ago unwatched. */
  readonly loop: { readonly adds: number; readonly stays: number; readonly of: Kind };
  /** Calls that are left of the month; null: no limit. */
  readonly calls: number | null;
}

const kind = fc.record({
  every: fc.constantFrom(1, 1, 2, 5, 20),
  chat: fc.integer({ min: 0, max: 4 }),
  takes: fc.constantFrom(SECOND, 20 * SECOND, CHECK_DEADLINE, CHECK_DEADLINE),
  fails: fc.constantFrom<Kind['fails']>('never', 'never', 'unreachable', 'unknown'),
});
const load: fc.Arbitrary<Load> = fc.record({
  kept: fc.array(kind, { minLength: 1, maxLength: 40 }),
  burst: fc.array(kind, { maxLength: 100 }),
  loop: fc.record({ adds: fc.integer({ min: 0, max: 3 }), stays: fc.integer({ min: 1, max: 40 }), of: kind }),
  calls: fc.option(fc.integer({ min: 200, max: 20_000 })),
});
/** All run as long as they may. */
const slow: Kind = { every: 1, chat: 0, takes: CHECK_DEADLINE, fails: 'never' };
/** One among them is due seldom: by lateness relative to its interval alone it would wait for hours. */
const SELDOM: Load = {
  kept: [...Array.from({ length: 31 }, () => slow), { ...slow, every: 20 }],
  burst: [],
  loop: { adds: 3, stays: 2, of: slow },
  calls: null,
};
const FLOODED: Load = { ...SELDOM, burst: Array.from({ length: 150 }, () => slow) };

test('every check starts within the stated bound, whatever the load', async () => {
  await fc.assert(
    fc.asyncProperty(load, async (one) => {
      expect(await excessOf(one)).toEqual([]);
    }),
    { numRuns: runs(100), examples: [[SELDOM], [FLOODED]] },
  );
});

/** Runs a load through plan and slots as the watcher does; resolves with every wait that was longer than its bound. */
async function excessOf({ kept, burst, loop, calls }: Load): Promise<readonly string[]> {
  const seen = surface(handClock());
  const records = new Map<string, CheckRecord>();
  const checkRecords = { read: (feed: string, subject: string) => records.get(`${feed}/${subject}`) };
  const kinds = new Map<string, Kind>();
  const tasks = new Map<string, Task>();
  const firsts = new Map<string, { readonly since: Instant; readonly place: number; chats: number }>();
  const lates = new Map<string, { readonly since: Instant; checks: number }>();
  const ends: { readonly at: Instant; readonly end: () => void }[] = [];
  const excess: string[] = [];
  let now = START;
  let left = calls ?? Number.POSITIVE_INFINITY;
  let count = 0;

  const add = (one: Kind): void => {
    count += 1;
    const task = { feed: seen.feed({ id: `every-${one.every}`, every: one.every }), subject: project(`p${count}`) };
    const chats = [new Set([`chat-${one.chat}`])];
    tasks.set(taskKey(task), { ...task, chats });
    kinds.set(taskKey(task), one);
  };
  const remove = (key: string): void => {
    for (const map of [tasks, records, firsts, lates]) map.delete(key);
  };
  const note = (key: string): void => {
    const first = firsts.get(key);
    const late = lates.get(key);
    if (first !== undefined && now - first.since > firstBound(first.place, first.chats)) excess.push(`first ${key} ${now - first.since}`);
    if (late !== undefined && now - late.since > lateBound(late.checks)) excess.push(`late ${key} ${now - late.since}`);
  };
  const affordable = (running: Iterable<string>) => {
    const rest = left - [...running].length;
    return () => rest >= 1;
  };
  const run = async (task: Task): Promise<boolean> => {
    const key = taskKey(task);
    note(key);
    firsts.delete(key);
    lates.delete(key);
    left -= 1;
    const triedAt = now;
    const { takes, fails } = kinds.get(key) ?? { takes: 0, fails: 'never' };
    await new Promise<void>((end) => ends.push({ at: later(now, takes), end }));
    const failures = fails === 'never' ? 0 : 1;
    const rest = { hidden: 0, broken: 0, complete: true, cost: 1, ...(failures === 0 ? { okAt: now } : { problem: fails }) };
    if (tasks.has(key)) records.set(key, { feed: task.feed.id, subject: subjectKey(task.subject), triedAt, failures, ...rest });
    return failures === 0;
  };
  const slots = new CheckSlots({ run, affordable });

  /** Notes since when each check waits without a break, its place in its chat's line, and how many others there are. */
  const follow = (next: ReturnType<typeof due>['checks']): void => {
    const canRun = affordable(slots.running())();
    const waits = new Map(next.map((check) => [taskKey(check.task), check]));
    for (const key of [...firsts.keys()]) if (!waits.has(key) || !canRun) firsts.delete(key);
    for (const key of [...lates.keys()]) if (!waits.has(key) || !canRun) lates.delete(key);
    if (!canRun) return;
    for (const [key, { neverRan, at }] of waits) {
      const chat = kinds.get(key)?.chat;
      const place = 1 + [...firsts.keys()].filter((other) => kinds.get(other)?.chat === chat).length;
      if (neverRan && !firsts.has(key)) firsts.set(key, { since: now, place, chats: 1 });
      // Under a budget the plan moves; what counts is how long a check waits although it may run.
      if (!neverRan && !lates.has(key)) lates.set(key, { since: calls === null ? at : now, checks: 0 });
    }
    const chats = new Set([...firsts.keys()].map((key) => kinds.get(key)?.chat)).size;
    for (const first of firsts.values()) first.chats = Math.max(first.chats, chats);
    for (const late of lates.values()) late.checks = Math.max(late.checks, tasks.size);
  };

  for (const one of kept) add(one);
  const looped: string[] = [];
  for (let ticks = 0; now < START + LASTS; ticks += 1) {
    if (ticks === 30) for (const one of burst) add({ ...one, chat: 5 });
    for (let added = 0; added < loop.adds; added += 1) {
      add({ ...loop.of, chat: 6 });
      looped.push([...tasks.keys()].at(-1) ?? '');
    }
    for (const key of looped.splice(0, Math.max(0, looped.length - loop.stays))) remove(key);
    const all = [...tasks.values()];
    const budget =
      calls === null ? { used: 0, resetsAt: later(START, DAY) } : { used: 0, limit: 1, forChecks: left, resetsAt: later(START, DAY) };
    const plan = cadence(all, { checkRecords, pollMinSeconds: 60, now, budget });
    const idle = all.filter((task) => !slots.running().has(taskKey(task)));
    const context = { checkRecords, pollMinSeconds: 60, now, cadence: plan, checks: all.length };
    follow(due(idle, context).checks);
    const next = due(idle, { ...context, spread: { from: START, over: START_SPREAD } }).checks;
    slots.offer({
      first: next.flatMap(({ task, neverRan }) => (neverRan ? [{ task, neverRan, since: now }] : [])),
      late: next.filter(({ neverRan }) => !neverRan),
      isWanted: (key) => tasks.has(key),
    });
    for (const key of [...firsts.keys(), ...lates.keys()]) note(key);
    const until = later(now, TICK);
    for (let at = -1; (at = ends.findIndex((one) => one.at <= until)) !== -1;) {
      // The earliest end first.
      const [one] = ends.splice(
        ends.reduce((best, { at: then }, index) => (then < (ends[best]?.at ?? then) ? index : best), at),
        1,
      );
      now = instant(Math.max(now, one?.at ?? now));
      one?.end();
      await turn();
    }
    now = until;
  }
  slots.close();
  for (const { end } of ends) end();
  await slots.idle();
  return excess;
}
