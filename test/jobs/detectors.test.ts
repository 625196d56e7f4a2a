import { expect, test } from 'vitest';
import type { Analytics } from '../../src/analytics/analytics.js';
import { openCheckRecords } from '../../src/alerts/checks/check-records.js';
import { HOUR, instant, later, MINUTE } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { openDetectors } from '../../src/jobs/detectors.js';
import { detectorKey, type Cadence } from '../../src/jobs/plan.js';
import { proposals } from '../../src/feeds/proposals.js';
import { supply } from '../../src/feeds/supply.js';
import { openStore } from '../../src/store/open.js';
import { openAppHarness, type AppHarnessOptions } from '../support/app-harness.js';
import { handClock } from '../support/clock.js';
import { notebook } from './harness.js';
import { failing } from './failing-store.js';
import { project, trouble } from './fake-service.js';

const PLAN: Cadence = {
  intervals: new Map([detectorKey('live-markets'), detectorKey('projects-launch')].map((key) => [key, HOUR])),
  ...{ idle: new Map(), costs: new Map(), stretch: 1, limited: true },
};
const signal = new AbortController().signal;

async function openPost(options: AppHarnessOptions = {}) {
  const harness = await openAppHarness(options);
  const { store, analytics, clock } = harness;
  const checkRecords = await openCheckRecords(store);
  const open = async (source = 'here') => openDetectors({ store, analytics, source, checkRecords, clock, log: silentLog });
  const tasks = ['tide', 'heron', 'alder'].flatMap((slug): Task[] => [
    { feed: supply, subject: project(slug) },
    { feed: proposals, subject: project(slug) },
  ]);
  let detectors = await open();
  const called = () =>
    tasks
      .filter((task) => detectors.called(task) !== undefined)
      .map(({ feed, subject }) => [feed.id, subject === 'all' ? '' : 'slug' in subject ? subject.slug : '']);
  return {
    ...harness,
    tasks,
    called,
    facts: () => detectors.facts(),
    run: async () => detectors.run(tasks, PLAN, signal),
    reopen: async (source?: string) => void (detectors = await open(source)),
  };
}

test('one page of a global list reports which project minted', async () => {
  const { run, called, sim, clock, analytics } = await openPost();
  await run();
  const { used } = analytics.state().budget;
  expect(called()).toEqual([]);
  await sim({ kind: 'mint', project: 'heron', amount: '250' });
  await clock.advance(HOUR);
  await run();
  expect(called()).toContainEqual(['supply', 'heron']);
  expect(called()).not.toContainEqual(['supply', 'tide']);
  expect(analytics.state().budget.used - used).toBe(2);
});

test('a market that appears, and one that is gone, calls for a check of its project', async () => {
  const { run, called, sim, clock } = await openPost();
  await run();
  await sim({ kind: 'proposal', project: 'alder', title: 'Fund it', liveSeconds: 86_400 });
  await clock.advance(HOUR);
  await run();
  expect(called()).toContainEqual(['proposals', 'alder']);
});

test('it runs when its interval is over and not before, and what it saw is known after a restart', async () => {
  const { run, reopen, called, sim, clock, analytics } = await openPost();
  await run();
  const { used } = analytics.state().budget;
  await clock.advance(HOUR - MINUTE);
  await run();
  expect(analytics.state().budget.used).toBe(used);
  await reopen();
  await sim({ kind: 'mint', project: 'tide', amount: '250' });
  await clock.advance(MINUTE);
  await run();
  expect(called()).toContainEqual(['supply', 'tide']);
  await reopen('another service');
  expect(called()).toEqual([]);
});

test('a service that is down calls for nothing and costs no trust', async () => {
  const { run, called, sim, clock, facts } = await openPost();
  await run();
  const before = facts().map(({ trust }) => trust);
  expect(before).toEqual([0.5, 0.5]);
  await sim({ kind: 'down' });
  await clock.advance(HOUR);
  await run();
  expect(called()).toEqual([]);
  await sim({ clear: true });
  await clock.advance(6 * HOUR);
  await run();
  expect(facts().map(({ trust }) => trust)).toEqual(before);
});

test('a list that was never seen, or cannot be had now, puts nothing off and is asked again after hours', async () => {
  const { run, facts, sim, clock, analytics } = await openPost();
  expect(facts()).toEqual([]);
  await sim({ kind: 'down' });
  await run();
  expect(facts()).toEqual([]);
  await sim({ clear: true });
  const { used } = analytics.state().budget;
  await clock.advance(5 * HOUR);
  await run();
  expect(analytics.state().budget.used).toBe(used);
  await clock.advance(HOUR);
  await run();
  expect(facts().map(({ id }) => id)).toEqual(['live-markets', 'projects-launch']);
  await sim({ kind: 'down' });
  await clock.advance(HOUR);
  await run();
  expect(facts()).toEqual([]);
});

const MARKETS = 'dashboard.live-markets';
const SUPPLIES = 'dashboard.projects-launch';
const market = (slug: string, status: string, publicKey = `market-${slug}`) => ({ publicKey, organizationSlug: slug, status });

/** Detectors beside two lists that a test writes. */
async function openLists(slugs: readonly string[] = ['tide', 'heron'], supplied = slugs) {
  const clock = handClock();
  const store = failing(await openStore('memory://'));
  const checkRecords = await openCheckRecords(store);
  const book = notebook();
  const lists = new Map<string, unknown>([
    [MARKETS, []],
    [SUPPLIES, []],
  ]);
  const asked: string[] = [];
  let complete = true;
  let failure: Error | undefined;
  let held: Promise<void> | undefined;
  const analytics: Analytics = {
    call: async () => Promise.reject(new Error('only lists are asked for')),
    async walk(row, _input, identify, options) {
      asked.push(row.id);
      options?.meter?.count();
      await held;
      options?.signal?.throwIfAborted();
      if (failure !== undefined) throw failure;
      const { rows, broken } = row.data.parse(lists.get(row.id));
      const each = [...new Map(rows.map((one) => [identify(one), one])).values()];
      return { rows: each, broken, hidden: 0, complete, at: clock.now() };
    },
    state: () => ({ budget: { used: 0, resetsAt: instant(0) } }),
  };
  let now = clock.now;
  const detectors = await openDetectors({
    ...{ store, analytics, source: 'here', checkRecords, log: book.log },
    clock: { ...clock, now: () => now() },
  });
  const tasks: readonly Task[] = [
    ...slugs.map((slug) => ({ feed: proposals, subject: project(slug) })),
    ...supplied.map((slug) => ({ feed: supply, subject: project(slug) })),
  ];
  return {
    ...{ ...book, clock, store, detectors, checkRecords },
    run: async (stop: AbortSignal = signal) => {
      asked.length = 0;
      await detectors.run(tasks, PLAN, stop);
      return [...asked];
    },
    lists: (markets: readonly unknown[], supplies: readonly unknown[] = []) => {
      lists.set(MARKETS, markets);
      lists.set(SUPPLIES, supplies);
    },
    called: () => tasks.flatMap((task) => (detectors.called(task) === undefined ? [] : [[task.feed.id, Object(task.subject).slug]])),
    fails: (cause: Error | undefined) => void (failure = cause),
    isComplete: (whole: boolean) => void (complete = whole),
    holds: (until: Promise<void>) => void (held = until),
    turnsBack: (by: number) => {
      const back = later(clock.now(), -by);
      now = () => back;
    },
  };
}

test('for a single project a list is not worth its request', async () => {
  expect(await (await openLists(['tide'])).run()).toEqual([]);
  expect(await (await openLists()).run()).toEqual([MARKETS, SUPPLIES]);
  expect(await (await openLists(['tide', 'heron'], ['tide'])).run()).toEqual([MARKETS]);
});

test('a market that changes its state or goes calls for its project, whatever the order of the list; others do not', async () => {
  const { run, lists, called, clock } = await openLists(['tide', 'heron', 'alder']);
  lists([market('tide', 'live'), market('heron', 'live', 'a'), market('heron', 'draft', 'b'), { publicKey: 'nameless', status: 'live' }]);
  await run();
  await clock.advance(HOUR);
  lists([market('heron', 'draft', 'b'), market('heron', 'live', 'a'), market('tide', 'live')]);
  await run();
  expect(called()).toEqual([]);
  await clock.advance(HOUR);
  lists([market('heron', 'live', 'b'), market('heron', 'live', 'a')]);
  await run();
  expect(called()).toEqual([
    ['proposals', 'tide'],
    ['proposals', 'heron'],
  ]);
});

test('a market that is missing from an incomplete list does not count as gone', async () => {
  const { run, lists, called, clock, isComplete } = await openLists();
  lists([market('tide', 'live'), market('heron', 'live')]);
  await run();
  await clock.advance(HOUR);
  lists([market('heron', 'live')]);
  isComplete(false);
  await run();
  expect(called()).toEqual([]);
});

test('a list of supplies says something about the projects with a supply on it; both, only about those checked for their kind', async () => {
  const { run, lists, detectors } = await openLists(['tide', 'heron'], ['tide', 'heron', 'alder']);
  lists(
    [market('tide', 'live')],
    [
      { organizationSlug: 'tide', organizationName: 'Namesake', totalSupply: '100' },
      { organizationSlug: 'alder', organizationName: 'Namesake', totalSupply: '100' },
      { organizationSlug: 'heron', organizationName: 'Heron Flats' },
    ],
  );
  await run();
  const covered = detectors.facts().map(({ feed, covers }) => [feed, ['tide', 'heron', 'alder', 'unwatched'].filter(covers)]);
  expect(covered).toEqual([
    ['proposals', ['tide', 'heron']],
    ['supply', ['tide', 'alder']],
  ]);
  expect(detectors.facts().map(({ cost }) => cost)).toEqual([1, 1]);
});

test('a run that is under way is not begun beside itself', async () => {
  const { run, holds, detectors, clock } = await openLists();
  let release = (): void => {};
  holds(new Promise((resolve) => (release = resolve)));
  const first = run();
  await clock.advance(7 * HOUR);
  expect(await run()).toEqual([]);
  release();
  await first;
  expect(detectors.facts()).toHaveLength(2);
});

test('trouble of the service is expected and only noted; any other is an error; and an end of the bot is neither', async () => {
  const { run, fails, noted, clock, store } = await openLists();
  const levels = () => noted.splice(0).map(({ level, event, fields }) => [level, event, fields['detector']]);
  fails(trouble('unreachable'));
  await run();
  expect(levels()).toEqual([
    ['debug', 'detector.failed', 'live-markets'],
    ['debug', 'detector.failed', 'projects-launch'],
  ]);
  fails(undefined);
  await clock.advance(6 * HOUR);
  store.fails(1);
  await run();
  expect(levels()).toEqual([['error', 'detector.failed', 'live-markets']]);
  await clock.advance(6 * HOUR);
  await run(AbortSignal.abort(new Error('stopping')));
  expect(levels()).toEqual([]);
});

test('after the clock was set back a list is read again, not when the clock has caught up', async () => {
  const { run, turnsBack } = await openLists();
  await run();
  turnsBack(24 * HOUR);
  expect(await run()).toEqual([MARKETS, SUPPLIES]);
});

test('trust in a list grows with each event of a check that it had seen', async () => {
  const { run, lists, detectors, checkRecords, clock } = await openLists();
  const supplies = (amount: string) => [{ organizationSlug: 'tide', totalSupply: amount }];
  lists([], supplies('100'));
  await run();
  await clock.advance(HOUR);
  lists([], supplies('90'));
  const now = clock.now();
  const found = { triedAt: now, okAt: now, eventAt: now, failures: 0, hidden: 0, broken: 0, complete: true };
  await checkRecords.record({ feed: 'supply', subject: 'tide', ...found });
  await run();
  expect(detectors.facts().map(({ trust }) => trust)).toEqual([0.5, 2 / 3]);
});

test('a list that was seen and then cannot be had is asked for after hours, not after its interval', async () => {
  const { run, fails, clock } = await openLists();
  await run();
  await clock.advance(HOUR);
  fails(trouble('unreachable'));
  expect(await run()).toEqual([MARKETS, SUPPLIES]);
  fails(undefined);
  await clock.advance(6 * HOUR - 1);
  expect(await run()).toEqual([]);
  await clock.advance(1);
  expect(await run()).toEqual([MARKETS, SUPPLIES]);
});
