import { expect, test } from 'vitest';
import { HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { withoutEntry } from '../../src/alerts/watchlist/watchlists.js';
import { walletAddress } from '../../src/domain/wallet.js';
import { Watcher } from '../../src/jobs/watcher.js';
import { openStore } from '../../src/store/open.js';
import { StoreError } from '../../src/store/store.js';
import { ALL, burn, CHAT, LAUNCHES, TIDE } from '../alerts/harness.js';
import { settled } from '../support/clock.js';
import { failing } from './failing-store.js';
import { openJobsHarness, SOURCE } from './harness.js';
import { project, trouble } from './fake-service.js';
import { openWatcherHarness } from './watcher-harness.js';

const OTHER = address('console', 'other');
const TIDE_LOOKS = ['growth/tide', 'launches/all', 'supply/tide'];
const PATIENCE = 5 * SECOND;
const HERE = { chat: CHAT, patience: PATIENCE };

test('a tick checks what is watched, once in each interval', async () => {
  const { tick, watch, clock } = await openWatcherHarness();
  expect(await tick()).toEqual([]);
  await watch(TIDE);
  expect(await tick()).toEqual(TIDE_LOOKS);
  await clock.advance(MINUTE - 1);
  expect(await tick()).toEqual([]);
  await clock.advance(1);
  expect(await tick()).toEqual(['launches/all', 'supply/tide']);
  await clock.advance(9 * MINUTE);
  expect(await tick()).toEqual(TIDE_LOOKS);
});

test('a tick before the next check is due reads no records, and a watch that begins meanwhile is checked with the next tick', async () => {
  const { context, watch, clock, seen } = await openWatcherHarness();
  let reads = 0;
  const read = (feed: string, subject: string) => {
    reads += 1;
    return context.checks.read(feed, subject);
  };
  const checks = { ...context.checks, read };
  const watcher = new Watcher({ ...context, checks });
  const readsOf = async (): Promise<number> => {
    reads = 0;
    await watcher.tick();
    await watcher.idle();
    return reads;
  };
  await watch(TIDE);
  await readsOf();
  expect(seen.takeAsked().toSorted()).toEqual(TIDE_LOOKS);
  expect(await readsOf()).toBeGreaterThan(0);
  for (let second = 0; second < 58; second += 1) {
    await clock.advance(SECOND);
    expect(await readsOf()).toBe(0);
  }
  await watch(ALL, {}, OTHER);
  await readsOf();
  expect(seen.takeAsked().toSorted()).toEqual(['growth/heron', 'supply/heron']);
  await clock.advance(2 * SECOND);
  await readsOf();
  expect(seen.takeAsked().toSorted()).toEqual(['launches/all', 'supply/tide']);
});

test('a check that failed is tried again after its interval, not with every tick', async () => {
  const { tick, watch, clock, seen } = await openWatcherHarness();
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' } });
  seen.fails(trouble('unreachable'));
  expect(await tick()).toEqual(['supply/tide']);
  expect(await tick()).toEqual([]);
  await clock.advance(MINUTE);
  expect(await tick()).toEqual(['supply/tide']);
});

test('a tick does not wait for its checks, and a check that takes long is not begun twice', async () => {
  const { watcher, watch, clock, seen } = await openWatcherHarness();
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' } });
  const release = seen.holds();
  await watcher.tick();
  await settled();
  expect(seen.takeAsked()).toEqual(['supply/tide']);
  await clock.advance(HOUR);
  await watcher.tick();
  await settled();
  expect(seen.takeAsked()).toEqual([]);
  let idle = false;
  const waited = watcher.idle().then(() => (idle = true));
  await settled();
  expect(idle).toBe(false);
  release();
  await waited;
  await watcher.tick();
  await watcher.idle();
  // It was tried when it began, so after an hour it is due again at once.
  expect(seen.takeAsked()).toEqual(['supply/tide']);
});

test('while the projects cannot be listed, what is watched by name is checked all the same', async () => {
  const { tick, watch, directory, clock } = await openWatcherHarness();
  await watch(ALL, { modes: { growth: 'off' } });
  await watch(TIDE, { modes: { growth: 'off' } }, OTHER);
  directory.fails(trouble('unreachable'));
  expect(await tick()).toEqual(['launches/all', 'supply/tide']);
  directory.fails(undefined);
  await clock.advance(30 * SECOND);
  expect(await tick()).toEqual(['supply/heron']);
});

test('first checks are made at once without alerts, and what comes after them alerts', async () => {
  const { watcher, watch, seen, waiting, marked, tick, clock } = await openWatcherHarness();
  seen.shows('tide', 1, 2);
  await watch(TIDE);
  expect(await watcher.firstChecks(TIDE, HERE)).toEqual({ done: 3, pending: 0, failed: 0 });
  expect(waiting()).toEqual([]);
  expect(await marked()).toEqual(TIDE_LOOKS);
  seen.shows('tide', 3);
  await clock.advance(MINUTE);
  await tick();
  expect(waiting()).toEqual(['supply/tide/3']);
});

test('a kind that the entry has off is not checked first, and does not count as failed', async () => {
  const { watcher, watch, seen } = await openWatcherHarness();
  await watch(TIDE, { modes: { growth: 'off' } });
  const first = watcher.firstChecks(TIDE, HERE);
  await watcher.tick();
  expect(await first).toEqual({ done: 2, pending: 0, failed: 0 });
  expect(seen.takeAsked()).not.toContain('growth/tide');
});

test('first checks leave nobody asleep behind them', async () => {
  const { watcher, clock } = await openWatcherHarness();
  await watcher.firstChecks(LAUNCHES, HERE);
  expect(clock.sleepers()).toBe(0);
});

test('what somebody has just checked gets no first check again; what has a watermark of another service is', async () => {
  const { watcher, seen, watermarks, checkRecords, clock } = await openWatcherHarness();
  const just = { triedAt: clock.now(), okAt: later(clock.now(), -MINUTE), failures: 0, hidden: 0, broken: 0, complete: true };
  await checkRecords.record({ feed: 'supply', subject: 'tide', ...just });
  await checkRecords.record({ feed: 'growth', subject: 'tide', ...just });
  await watermarks.set('supply/tide', { source: SOURCE, watermark: { alerted: [] }, pending: [] });
  await watermarks.set('growth/tide', { source: 'another service', watermark: { alerted: [] }, pending: [] });
  expect(await watcher.firstChecks(TIDE, HERE)).toEqual({ done: 2, pending: 0, failed: 0 });
  expect(seen.takeAsked().toSorted()).toEqual(['growth/tide', 'launches/all']);
  expect(await watcher.firstChecks(TIDE, HERE)).toEqual({ done: 0, pending: 0, failed: 0 });
});

test('where the last check is older, or failed, first checks are made again, with no answer from before the watch began', async () => {
  const { watcher, seen, clock } = await openWatcherHarness();
  await watcher.firstChecks(TIDE, HERE);
  await clock.advance(MINUTE + 1);
  seen.takeAsked();
  expect(await watcher.firstChecks(TIDE, HERE)).toEqual({ done: 3, pending: 0, failed: 0 });
  expect(seen.takeAsked().toSorted()).toEqual(TIDE_LOOKS);
  for (const { options } of seen.asked.slice(-3)) expect(options.maxAge).toBeLessThanOrEqual(MINUTE + 1);
  await clock.advance(MINUTE + 1);
  seen.fails(trouble('unreachable'));
  expect(await watcher.firstChecks(TIDE, HERE)).toEqual({ done: 0, pending: 0, failed: 3 });
  seen.fails(undefined);
  expect(await watcher.firstChecks(TIDE, HERE)).toEqual({ done: 3, pending: 0, failed: 0 });
});

test('first checks again that the calls left for checks do not suffice for wait for their turn', async () => {
  const { context, watcher: before, seen, clock } = await openWatcherHarness();
  await before.firstChecks(TIDE, HERE);
  await clock.advance(HOUR);
  seen.takeAsked();
  const budget = { used: 498, limit: 500, forChecks: 2, resetsAt: later(clock.now(), 24 * HOUR) };
  const watcher = new Watcher({ ...context, analytics: { ...context.analytics, state: () => ({ budget }) } });
  expect(await watcher.firstChecks(TIDE, HERE)).toEqual({ done: 2, pending: 1, failed: 0, isDeferred: true });
  expect(seen.takeAsked()).toHaveLength(2);
});

test('first checks that take longer than the patience are pending, and go on behind', async () => {
  const { watcher, seen, clock, marked } = await openWatcherHarness();
  const release = seen.holds();
  const checkRecords = watcher.firstChecks(TIDE, HERE);
  await clock.asleep();
  await clock.advance(PATIENCE);
  expect(await checkRecords).toEqual({ done: 0, pending: 3, failed: 0 });
  expect(await marked()).toEqual([]);
  release();
  await watcher.idle();
  expect(await marked()).toEqual(TIDE_LOOKS);
});

test('a first check joins the check that is under way already', async () => {
  const { watcher, watch, seen } = await openWatcherHarness();
  await watch(LAUNCHES);
  const release = seen.holds();
  await watcher.tick();
  const [one, two] = [watcher.firstChecks(LAUNCHES, HERE), watcher.firstChecks(LAUNCHES, HERE)];
  await settled();
  release();
  expect(await one).toEqual({ done: 1, pending: 0, failed: 0 });
  expect(await two).toEqual({ done: 1, pending: 0, failed: 0 });
  expect(seen.takeAsked()).toEqual(['launches/all']);
});

test('first checks that fail are counted, and a project without such data counts as checked', async () => {
  const { watcher, seen } = await openWatcherHarness();
  seen.fails(trouble('unreachable'));
  expect(await watcher.firstChecks(TIDE, HERE)).toEqual({ done: 0, pending: 0, failed: 3 });
  seen.fails(trouble('unknown'));
  expect(await watcher.firstChecks(TIDE, HERE)).toEqual({ done: 3, pending: 0, failed: 0 });
});

test('projects that cannot be listed count as one first check that failed; the others are made', async () => {
  const { watcher, directory, seen } = await openWatcherHarness();
  directory.fails(trouble('unreachable'));
  expect(await watcher.firstChecks(ALL, HERE)).toEqual({ done: 1, pending: 0, failed: 1 });
  expect(seen.takeAsked()).toEqual(['launches/all']);
});

test('projects that cannot be listed and a check that takes long are counted apart', async () => {
  const { watcher, directory, seen, clock } = await openWatcherHarness();
  directory.fails(trouble('unreachable'));
  const release = seen.holds();
  const checkRecords = watcher.firstChecks(ALL, HERE);
  await clock.asleep();
  await clock.advance(PATIENCE);
  expect(await checkRecords).toEqual({ done: 0, pending: 1, failed: 1 });
  release();
  await watcher.idle();
});

test('first checks never reject: what went wrong is counted and logged', async () => {
  const { watcher, directory, names } = await openWatcherHarness();
  directory.fails(new StoreError('locked', 'store: it is locked; wait'));
  expect(await watcher.firstChecks(ALL, HERE)).toEqual({ done: 0, pending: 0, failed: 1 });
  expect(names()).toEqual(['error first-checks.failed']);
});

test('while it is not known what there is to check, finding out is what is pending', async () => {
  const base = await openWatcherHarness();
  const never = new Promise<never>(() => {});
  const watcher = new Watcher({ ...base.context, directory: { ...base.directory, all: async () => never } });
  const checkRecords = watcher.firstChecks(ALL, HERE);
  await base.clock.asleep();
  await base.clock.advance(PATIENCE);
  expect(await checkRecords).toEqual({ done: 0, pending: 1, failed: 0 });
});

test('the sweep forgets the watermarks and checks of what nobody watches any more, and nothing else', async () => {
  const { watcher, watch, watchlists, tick, marked, checkRecords, clock } = await openWatcherHarness();
  await watch(TIDE, { modes: { growth: 'off' } });
  await watch({ kind: 'project', slug: project('heron').slug }, {}, OTHER);
  await tick();
  await watcher.forgetUnwatched();
  expect(await marked()).toEqual(['growth/heron', 'launches/all', 'supply/heron', 'supply/tide']);
  await watchlists.change(OTHER, (chat) => ({ ...chat, entries: [] }));
  await clock.advance(MINUTE);
  await watcher.forgetUnwatched();
  expect(await marked()).toEqual(['launches/all', 'supply/tide']);
  expect(checkRecords.all().map(({ feed, subject }) => `${feed}/${subject}`)).toEqual(
    expect.arrayContaining(['launches/all', 'supply/tide']),
  );
  expect(checkRecords.all()).toHaveLength(2);
  await watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
  await watcher.forgetUnwatched();
  expect(await marked()).toEqual([]);
  expect(checkRecords.all()).toEqual([]);
});

test('whoever watches again after a sweep gets nothing of the time between', async () => {
  const { watcher, watch, watchlists, tick, seen, waiting, clock } = await openWatcherHarness();
  await watch(TIDE, { modes: { growth: 'off' } });
  await tick();
  await watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
  await clock.advance(MINUTE);
  await watcher.forgetUnwatched();
  seen.shows('tide', 1);
  await clock.advance(HOUR);
  await watch(TIDE, { modes: { growth: 'off' } });
  await watcher.firstChecks(TIDE, HERE);
  expect(waiting()).toEqual([]);
  seen.shows('tide', 2);
  await clock.advance(HOUR);
  await tick();
  expect(waiting()).toEqual(['supply/tide/2']);
});

test('the sweep keeps a watermark with events still to be routed', async () => {
  const { watcher, watermarks, marked, clock } = await openWatcherHarness();
  await watermarks.set('supply/tide', { source: SOURCE, watermark: { alerted: [1] }, pending: [burn(1, clock.now())] });
  await watermarks.set('growth/tide', { source: SOURCE, watermark: { alerted: [1] }, pending: [] });
  await watcher.forgetUnwatched();
  expect(await marked()).toEqual(['supply/tide']);
});

test('while somebody watches everything the sweep forgets nothing and asks nobody, lest a short list cost a watermark', async () => {
  const { watcher, watch, watermarks, marked, directory } = await openWatcherHarness();
  await watch(ALL);
  await watermarks.set('supply/unlisted', { source: SOURCE, watermark: { alerted: [1] }, pending: [] });
  await watcher.forgetUnwatched();
  expect(await marked()).toEqual(['supply/unlisted']);
  expect(directory.asked).toBe(0);
});

test('a sweep waits for the check under way, and keeps what it found', async () => {
  const { watcher, watch, watchlists, tick, seen, watermark, watermarks, clock } = await openWatcherHarness();
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' } });
  await tick();
  seen.shows('tide', 1);
  await clock.advance(MINUTE);
  const release = seen.holds();
  await watcher.tick();
  await settled();
  await watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
  const sweep = watcher.forgetUnwatched();
  await settled();
  expect(await watermarks.get('supply/tide')).toBeDefined();
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' } });
  release();
  await sweep;
  await watcher.idle();
  expect(await watermark('supply/tide')).toMatchObject({ watermark: { alerted: [1] }, pending: [] });
});

test('stopping ends the checks under way, waits for them, and begins no other', async () => {
  const { watcher, watch, seen, clock, checkRecords, names } = await openWatcherHarness();
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' } });
  const release = seen.holds();
  await watcher.tick();
  await settled();
  let stopped = false;
  const stop = watcher.stop().then(() => (stopped = true));
  await settled();
  expect(seen.asked[0]?.options.signal?.aborted).toBe(true);
  expect(stopped).toBe(false);
  release();
  await stop;
  expect(checkRecords.all()).toEqual([]);
  expect(names()).toEqual([]);
  seen.takeAsked();
  await clock.advance(HOUR);
  await watcher.tick();
  await watcher.stop();
  expect(seen.takeAsked()).toEqual([]);
});

test('a tick that was finding out what to check when it was stopped checks at nothing', async () => {
  const base = await openWatcherHarness();
  await base.watch(ALL);
  let answer = (): void => {};
  const listed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const directory = { ...base.directory, all: async () => listed.then(async () => base.directory.all()) };
  const watcher = new Watcher({ ...base.context, directory });
  const tick = watcher.tick();
  await watcher.stop();
  answer();
  await tick;
  await watcher.idle();
  expect(base.seen.takeAsked()).toEqual([]);
});

test('what a store failure left in a watermark is handed on by the recovery of the next watcher', async () => {
  const base = await openStore('memory://');
  const store = failing(base);
  const { tick, watch, seen, clock } = await openWatcherHarness({ store });
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' } });
  await tick();
  seen.shows('tide', 1);
  await clock.advance(MINUTE);
  store.fails(20, { after: 1 });
  await tick();
  const next = await openWatcherHarness({ store: base, seen, clock });
  expect(next.waiting()).toEqual([]);
  await next.watcher.recover();
  expect(next.waiting()).toEqual(['supply/tide/1']);
  expect(seen.takeAsked()).toEqual([]);
});

test('under a limit a watched wallet is refreshed as seldom as its calls make it', async () => {
  const { watch, watcher: context, clock } = await openJobsHarness();
  const wallet = walletAddress('11111111111111111111111111111111');
  const feed = context.feeds[0];
  if (feed === undefined) throw new Error('the harness has no feed');
  const budget = { used: 0, limit: 100, forChecks: 100, resetsAt: later(clock.now(), 10 * 24 * HOUR) };
  const watcher = new Watcher({
    ...context,
    feeds: [{ ...feed, id: 'wallet', scope: 'wallet' }],
    analytics: { ...context.analytics, state: () => ({ budget }) },
    refreshOf: () => ({ key: 'refresh/one', cost: 9, floor: HOUR }),
  });
  await watch({ kind: 'wallet', address: wallet });
  await watcher.tick();
  await watcher.idle();
  const { intervals } = watcher.cadence();
  const [check = 0, refresh = 0] = [intervals.get(`wallet/${wallet}`), intervals.get('refresh/one')];
  expect(2 / check + 9 / refresh).toBeCloseTo(100 / (10 * 24 * HOUR), 12);
  expect(refresh).toBeGreaterThan(HOUR);
});
