import { expect, test } from 'vitest';
import type { Target } from '../../src/alerts/watchlist/entry.js';
import { withoutEntry } from '../../src/alerts/watchlist/watchlists.js';
import { HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { signalOnce } from '../../src/base/when-ready.js';
import { address } from '../../src/chat/address.js';
import { Watcher } from '../../src/jobs/watcher.js';
import { ALL, CHAT, TIDE } from '../alerts/harness.js';
import { settled } from '../support/clock.js';
import { openJobsHarness } from './harness.js';
import { project } from './fake-service.js';
import { openWatcherHarness } from './watcher-harness.js';

const OTHER = address('console', 'other');
const PATIENCE = 5 * SECOND;
const HERE = { chat: CHAT, patience: PATIENCE };

test('no more than sixteen checks are under way at once, be some of them slow, and the others follow', async () => {
  const { watcher, watch, seen, tick, clock } = await openWatcherHarness();
  const watchNumber = async (number: number) =>
    watch({ kind: 'project', slug: project(`p${number}`).slug }, { modes: { growth: 'off', launches: 'off' } });
  for (let number = 0; number < 20; number += 1) await watchNumber(number);
  expect(await tick()).toHaveLength(20);
  await clock.advance(MINUTE);
  const release = seen.holds();
  await watcher.tick();
  await watcher.tick();
  await settled();
  expect(new Set(seen.takeAsked()).size).toBe(16);
  release();
  await watcher.idle();
  expect(seen.takeAsked()).toHaveLength(4);
});

test('first checks take half of the slots, and the others follow as slots become free', async () => {
  const { watcher, watch, seen } = await openWatcherHarness();
  const watchNumber = async (number: number) =>
    watch({ kind: 'project', slug: project(`p${number}`).slug }, { modes: { growth: 'off', launches: 'off' } });
  const release = seen.holds();
  await watchNumber(0);
  await watcher.tick();
  for (let number = 1; number < 20; number += 1) await watchNumber(number);
  await watcher.tick();
  await watcher.tick();
  await settled();
  expect(new Set(seen.takeAsked()).size).toBe(8);
  release();
  await watcher.idle();
  expect(seen.takeAsked()).toHaveLength(12);
});

test('a new check runs at once though forty are overdue and the service is slow', async () => {
  const { watcher, watch, seen, clock, tick, context } = await openWatcherHarness();
  for (let number = 0; number < 40; number += 1)
    await watch({ kind: 'project', slug: project(`p${number}`).slug }, { modes: { growth: 'off', launches: 'off' } });
  await tick();
  await clock.advance(MINUTE);
  // Every check takes so long that forty are always overdue.
  let asleep = 0;
  const slow = context.feeds.map((feed) => ({
    ...feed,
    check: async (...args: Parameters<typeof feed.check>) => {
      asleep += 1;
      await clock.sleep(50 * SECOND).finally(() => (asleep -= 1));
      return feed.check(...args);
    },
  }));
  const busy = new Watcher({ ...context, feeds: slow });
  await busy.tick();
  await settled();
  expect(asleep).toBe(16);
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' } });
  for (let seconds = 0; seconds < 110; seconds += 10) {
    await busy.tick();
    await clock.advance(10 * SECOND);
  }
  expect(seen.takeAsked()).toContain('supply/tide');
  await watcher.stop();
});

test('whoever watches everything, or watches and unwatches in a loop, does not delay what is checked already', async () => {
  const { watcher, watch, watchlists, seen, clock, tick } = await openWatcherHarness();
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' } });
  await tick();
  const release = seen.holds();
  for (let number = 0; number < 50; number += 1) {
    const target: Target = { kind: 'project', slug: project(`p${number}`).slug };
    await watch(target, {}, OTHER);
    void watcher.firstChecks(target, { chat: OTHER, patience: PATIENCE });
    await watcher.tick();
    if (number % 2 === 0) await watchlists.change(OTHER, (chat) => withoutEntry(chat, target));
  }
  await settled();
  expect(seen.takeAsked()).toHaveLength(8);
  await clock.advance(MINUTE);
  await watcher.tick();
  await settled();
  expect(seen.takeAsked()).toEqual(['supply/tide']);
  release();
  await watcher.idle();
});

test('chats that wait for first checks take turns', async () => {
  const { watcher, watch, seen } = await openWatcherHarness();
  const release = seen.holds();
  for (let number = 0; number < 12; number += 1)
    await watch({ kind: 'project', slug: project(`p${number}`).slug }, { modes: { launches: 'off' } }, OTHER);
  await watcher.tick();
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' } });
  await watcher.tick();
  await settled();
  expect(seen.takeAsked()).toHaveLength(8);
  release();
  await watcher.idle();
  const order = seen.takeAsked();
  expect(order).toHaveLength(17);
  expect(order.indexOf('supply/tide')).toBeLessThan(2);
});

test('until all queues are read, only the checks run that need none of them', async () => {
  const base = await openWatcherHarness();
  const queuesRead = signalOnce();
  const events = base.seen.feed();
  const shown = base.seen.feed({ id: 'growth' });
  const growth = { ...shown, alerts: { ...shown.alerts, live: { notices: [] } } };
  const queues = { ...base.queues, loaded: queuesRead.done };
  const watcher = new Watcher({ ...base.context, queues, feeds: [events, growth] });
  await base.watch(TIDE);
  await watcher.tick();
  await watcher.idle();
  expect(base.seen.takeAsked()).toEqual(['supply/tide']);
  queuesRead.signal();
  await settled();
  await watcher.tick();
  await watcher.idle();
  expect(base.seen.takeAsked()).toEqual(['growth/tide']);
});

test('a list of projects that takes long does not delay what is watched by name', async () => {
  const base = await openWatcherHarness();
  const watcher = new Watcher({ ...base.context, directory: { ...base.directory, all: async () => new Promise<never>(() => {}) } });
  await base.watch(ALL, { modes: { launches: 'off' } });
  await base.watch(TIDE, { modes: { growth: 'off', launches: 'off' } }, OTHER);
  const tick = watcher.tick();
  await base.clock.asleep();
  await base.clock.advance(SECOND);
  await tick;
  await watcher.idle();
  expect(base.seen.takeAsked()).toEqual(['supply/tide']);
  expect(base.clock.sleepers()).toBe(0);
});

test('checks that run late are named, with since when', async () => {
  const { watcher, watch, seen, clock, tick } = await openWatcherHarness();
  const watchNumber = async (number: number) =>
    watch({ kind: 'project', slug: project(`p${number}`).slug }, { modes: { growth: 'off', launches: 'off' } });
  for (let number = 0; number < 20; number += 1) await watchNumber(number);
  await tick();
  const release = seen.holds();
  await clock.advance(MINUTE);
  const due = clock.now();
  await watcher.tick();
  expect([...watcher.overdue()]).toEqual([]);
  for (let number = 20; number < 30; number += 1) await watchNumber(number);
  await clock.advance(MINUTE + 1);
  await watcher.tick();
  const late = [...watcher.overdue().values()];
  expect(late).toEqual(Array.from({ length: 4 }, () => ({ since: due, neverRan: false })));
  await clock.advance(MINUTE + 1);
  await watcher.tick();
  expect([...watcher.overdue().values()].filter(({ neverRan }) => neverRan)).toHaveLength(10);
  release();
  await watcher.idle();
  await watcher.tick();
  expect([...watcher.overdue()]).toEqual([]);
});

test('when the calls left for checks do not suffice for one, it is not begun', async () => {
  const harness = await openJobsHarness();
  const budget = { used: 400, limit: 500, forChecks: 3, resetsAt: later(harness.clock.now(), 24 * HOUR) };
  const watcher = new Watcher({ ...harness.watcher, analytics: { ...harness.watcher.analytics, state: () => ({ budget }) } });
  await harness.watch(TIDE);
  await harness.checkRecords.record({
    ...{ feed: 'supply', subject: 'tide', triedAt: later(harness.clock.now(), -20 * 24 * HOUR), okAt: harness.clock.now(), failures: 0 },
    ...{ hidden: 0, broken: 0, complete: true, cost: 7 },
  });
  // Wanted for so long that their turn has come.
  for (const key of ['growth/tide', 'launches/all'])
    await harness.watcher.firstChecks.begin(key, later(harness.clock.now(), -90 * 24 * HOUR));
  const release = harness.seen.holds();
  await watcher.tick();
  await settled();
  // The other two were never checked and are taken to cost two each, so only one of them is affordable as well.
  expect(harness.seen.takeAsked()).toHaveLength(1);
  release();
  await watcher.idle();
  expect(watcher.cadence()).toMatchObject({ limited: true });
});

test('once some have ended, their pace says when the pending ones are probably done', async () => {
  const { context, clock } = await openWatcherHarness();
  const never = new Promise<never>(() => {});
  const feeds = context.feeds.map((feed) => (feed.id === 'growth' ? { ...feed, check: async () => never } : feed));
  const checkRecords = new Watcher({ ...context, feeds }).firstChecks(TIDE, HERE);
  await clock.asleep();
  await clock.advance(PATIENCE);
  expect(await checkRecords).toEqual({ done: 2, pending: 1, failed: 0, readyIn: PATIENCE / 2 });
});

test('while the watchlists and queues are still being loaded, first checks are pending and nobody waits for them', async () => {
  const { context, clock, seen } = await openWatcherHarness();
  const never = new Promise<never>(() => {});
  const checkRecords = new Watcher({ ...context, queues: { ...context.queues, loaded: never } }).firstChecks(TIDE, HERE);
  await clock.asleep();
  await clock.advance(PATIENCE);
  expect(await checkRecords).toEqual({ done: 0, pending: 1, failed: 0 });
  expect(seen.takeAsked()).toEqual([]);
});
