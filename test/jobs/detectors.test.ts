import { expect, test } from 'vitest';
import { openCheckRecords } from '../../src/alerts/checks/check-records.js';
import { HOUR, MINUTE } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { openDetectors } from '../../src/jobs/detectors.js';
import { detectorKey, type Cadence } from '../../src/jobs/plan.js';
import { proposals } from '../../src/feeds/proposals.js';
import { supply } from '../../src/feeds/supply.js';
import { openAppHarness, type AppHarnessOptions } from '../support/app-harness.js';
import { project } from './fake-service.js';

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
