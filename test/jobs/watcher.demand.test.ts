/** What a watcher checks besides what is due by itself: after changes, under a budget, for wallets, and what it forgets. */
import { describe, expect, test } from 'vitest';
import type { Directory } from '../../src/analytics/directory.js';
import { NO_RULES } from '../../src/alerts/evaluation/rule-states.js';
import { withoutEntry } from '../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { signalOnce } from '../../src/base/when-ready.js';
import { address } from '../../src/chat/address.js';
import type { Project } from '../../src/domain/project.js';
import { walletAddress } from '../../src/domain/wallet.js';
import type { Feed, Subject } from '../../src/feeds/feed.js';
import { MAX_FIRST_RUNNING } from '../../src/jobs/plan/check-order.js';
import { Watcher, type WatcherContext } from '../../src/jobs/watcher.js';
import { StoreError } from '../../src/store/store.js';
import { ALL, burn, CHAT, LAUNCHES, TIDE } from '../alerts/harness.js';
import { settled } from '../support/clock.js';
import { SOURCE } from './harness.js';
import { project, trouble } from './fake-service.js';
import { openWatcherHarness } from './watcher-harness.js';

const OTHER = address('console', 'other');
const HERE = { chat: CHAT, patience: 5 * SECOND };
const SUPPLY_ONLY = { modes: { growth: 'off', launches: 'off' } } as const;
const WALLET = walletAddress('11111111111111111111111111111111');
const UNWATCHED = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');

/** A watcher whose context differs in parts. */
async function openWith(parts: (base: Awaited<ReturnType<typeof openWatcherHarness>>) => Partial<WatcherContext>) {
  const base = await openWatcherHarness();
  const watcher = new Watcher({ ...base.context, ...parts(base) });
  const tick = async (): Promise<readonly string[]> => {
    await watcher.tick();
    await watcher.idle();
    return base.seen.takeAsked().toSorted();
  };
  return { ...base, watcher, tick };
}

describe('a change of a subject', () => {
  test('is looked for by all its checks that somebody wants, without a saved copy, and by no others', async () => {
    const { watcher, watch, tick, seen } = await openWatcherHarness();
    await watch(TIDE);
    await watch({ kind: 'project', slug: project('heron').slug }, {}, OTHER);
    await tick();
    await watcher.changed(project('tide'));
    expect(seen.takeAsked().toSorted()).toEqual(['growth/tide', 'supply/tide']);
    for (const { options } of seen.asked.slice(-2)) expect(options.maxAge).toBe(0);
    await watcher.changed(project('nobodys'));
    expect(seen.takeAsked()).toEqual([]);
  });

  test('that cannot be looked for is logged, and rejects nothing', async () => {
    const { watcher, watch, directory, names, noted } = await openWatcherHarness();
    await watch(ALL);
    directory.fails(new StoreError('locked', 'store: it is locked; wait'));
    await watcher.changed(project('tide'));
    expect(names()).toEqual(['error change.unseen']);
    expect(noted).toMatchObject([{ fields: { subject: 'tide' } }]);
  });
});

describe('a budget', () => {
  /** A service whose calls for checks a test sets. */
  async function openLimited() {
    const of: { forChecks: number | undefined } = { forChecks: undefined };
    const ran: number[] = [];
    let holds: Promise<void> | undefined;
    let isRunning = false;
    const sweeps: NonNullable<WatcherContext['sweeps']> = {
      ...{ facts: () => [], called: () => undefined, listed: () => undefined },
      ...{ sweptAt: () => undefined, hasMargins: () => undefined, base: () => undefined },
      due: () => (isRunning ? [] : ['projects']),
      async run({ tasks }) {
        ran.push(tasks.length);
        isRunning = true;
        await holds;
        isRunning = false;
      },
      checked: async () => {},
    };
    const harness = await openWith(({ clock, context }) => ({
      sweeps,
      analytics: {
        ...context.analytics,
        state: () => {
          const month = { used: 0, resetsAt: later(clock.now(), 20 * DAY) };
          return { budget: of.forChecks === undefined ? month : { ...month, limit: 500, forChecks: of.forChecks } };
        },
      },
    }));
    return {
      ...harness,
      ran,
      leaves: (forChecks: number | undefined) => void (of.forChecks = forChecks),
      holds: (until: Promise<void>) => void (holds = until),
    };
  }

  test('that appears or ends is planned for with the next tick, not with the next check', async () => {
    const { tick, watch, watcher, leaves, clock } = await openLimited();
    await watch(TIDE, SUPPLY_ONLY);
    await tick();
    await tick();
    leaves(20);
    await tick();
    expect(watcher.cadence().limited).toBe(true);
    await clock.advance(MINUTE);
    expect(await tick()).toEqual([]);
    leaves(undefined);
    expect(await tick()).toEqual(['supply/tide']);
    expect(watcher.cadence().limited).toBe(false);
  });

  test('lets lists be swept as far as the hour allows, and idle waits for them', async () => {
    const { watcher, watch, leaves, holds, ran } = await openLimited();
    await watch(TIDE, SUPPLY_ONLY);
    leaves(0);
    await watcher.tick();
    await watcher.idle();
    expect(ran).toEqual([]);
    leaves(20);
    const run = signalOnce();
    holds(run.done);
    await watcher.tick();
    await watcher.tick();
    expect(ran).toEqual([1]);
    let isIdle = false;
    const idle = watcher.idle().then(() => (isIdle = true));
    await settled();
    expect(isIdle).toBe(false);
    run.signal();
    await idle;
    await watcher.tick();
    await watcher.idle();
    expect(ran).toHaveLength(2);
  });

  test('counts the checks under way against first checks', async () => {
    const { watcher, watch, seen, leaves } = await openLimited();
    await watch(LAUNCHES);
    leaves(4);
    const release = seen.holds();
    const launches = watcher.firstChecks(LAUNCHES, HERE);
    await settled();
    const first = watcher.firstChecks(TIDE, HERE);
    await settled();
    release();
    expect(await launches).toMatchObject({ done: 1 });
    expect(await first).toEqual({ done: 1, pending: 2, failed: 0, isDeferred: true });
  });
});

describe('a tick', () => {
  test('rests no longer when a record changes or the clock is set back', async () => {
    let back = 0;
    const { tick, watch, checkRecords, clock } = await openWith((base) => ({
      clock: { ...base.clock, now: () => later(base.clock.now(), -back) },
    }));
    await watch(TIDE, SUPPLY_ONLY);
    await tick();
    expect(await tick()).toEqual([]);
    const record = checkRecords.read('supply', 'tide');
    if (record === undefined) throw new Error('it was not checked');
    await checkRecords.record({ ...record, triedAt: later(clock.now(), -HOUR) });
    expect(await tick()).toEqual(['supply/tide']);
    expect(await tick()).toEqual([]);
    back = DAY;
    expect(await tick()).toEqual(['supply/tide']);
  });

  test('offers again what could not begin before, as before the queues were read', async () => {
    const queuesRead = signalOnce();
    const { tick, watch } = await openWith(({ seen, queues }) => {
      const growth = seen.feed({ id: 'growth' });
      const shown = { ...growth, alerts: { ...growth.alerts, live: { notices: [] } } };
      return { queues: { ...queues, loaded: queuesRead.done }, feeds: [shown] };
    });
    await watch(TIDE);
    expect(await tick()).toEqual([]);
    queuesRead.signal();
    await settled();
    expect(await tick()).toEqual(['growth/tide']);
  });

  test('that had the list of projects at once leaves nobody asleep', async () => {
    const { tick, watch, clock } = await openWatcherHarness();
    await watch(ALL);
    await tick();
    expect(clock.sleepers()).toBe(0);
  });

  test('plans the refreshes of watched wallets and of nothing else, and none where nothing is refreshed', async () => {
    const asked: string[] = [];
    const wallets = ({ seen }: { readonly seen: Awaited<ReturnType<typeof openWatcherHarness>>['seen'] }) => [
      seen.feed(),
      seen.feed({ id: 'wallet', scope: 'wallet' }),
    ];
    const refreshed = await openWith((base) => ({
      feeds: wallets(base),
      refreshOf: (one) => {
        asked.push(one);
        return { key: `refresh/${one}`, cost: 1, floor: HOUR };
      },
    }));
    for (const target of [TIDE, { kind: 'wallet', address: WALLET } as const]) await refreshed.watch(target);
    expect(await refreshed.tick()).toEqual(['supply/tide', `wallet/${WALLET}`]);
    expect(new Set(asked)).toEqual(new Set([WALLET]));
    const none = await openWith((base) => ({ feeds: wallets(base) }));
    await none.watch({ kind: 'wallet', address: WALLET });
    expect(await none.tick()).toEqual([`wallet/${WALLET}`]);
  });
});

describe('first checks', () => {
  test('are made again where the last check failed a moment ago, and where a watermark cannot be read', async () => {
    const { watcher, watermarks, checkRecords, clock, seen } = await openWatcherHarness();
    const just = { triedAt: clock.now(), okAt: later(clock.now(), -SECOND), hidden: 0, broken: 0, complete: true };
    await checkRecords.record({ feed: 'launches', subject: 'all', ...just, failures: 1, problem: 'unreachable' });
    await watermarks.set('launches/all', { source: SOURCE, watermark: { alerted: [] }, pending: [] });
    expect(await watcher.firstChecks(LAUNCHES, HERE)).toEqual({ done: 1, pending: 0, failed: 0 });
    expect(seen.takeAsked()).toEqual(['launches/all']);
    let reads = 0;
    const broken = await openWith((base) => ({
      watermarks: {
        ...base.watermarks,
        get: async (key) => {
          reads += 1;
          if (reads === 1) throw new StoreError('unreadable', 'store: it cannot be read');
          return base.watermarks.get(key);
        },
      },
    }));
    expect(await broken.watcher.firstChecks(LAUNCHES, HERE)).toEqual({ done: 1, pending: 0, failed: 0 });
  });

  /** Every slot for first checks is taken until it is released. */
  async function openCrowded() {
    const harness = await openWatcherHarness();
    const release = harness.seen.holds();
    for (let number = 0; number < MAX_FIRST_RUNNING; number += 1) {
      const target = { kind: 'project', slug: project(`p${number}`).slug } as const;
      await harness.watch(target, SUPPLY_ONLY, OTHER);
    }
    await harness.watcher.tick();
    await settled();
    harness.seen.takeAsked();
    return { ...harness, release };
  }

  test('that wait are answered with no once nobody watches their subject, and stay while somebody does', async () => {
    const { watcher, watch, watchlists, release, seen, checkRecords, watermarks, clock } = await openCrowded();
    await watch(TIDE, SUPPLY_ONLY);
    // It ran before, and is not due: only the request is there.
    const old = { triedAt: clock.now(), okAt: later(clock.now(), -HOUR), failures: 0, hidden: 0, broken: 0, complete: true };
    await checkRecords.record({ feed: 'supply', subject: 'tide', ...old });
    await watermarks.set('supply/tide', { source: SOURCE, watermark: { alerted: [] }, pending: [] });
    await watch({ kind: 'project', slug: project('heron').slug }, SUPPLY_ONLY);
    const [kept, dropped] = [TIDE, { kind: 'project', slug: project('heron').slug } as const].map(async (target) =>
      watcher.firstChecks(target, HERE),
    );
    await settled();
    await watchlists.change(CHAT, (chat) => withoutEntry(chat, { kind: 'project', slug: project('heron').slug }));
    await watcher.tick();
    expect(await dropped).toEqual({ done: 0, pending: 0, failed: 1 });
    release();
    expect(await kept).toEqual({ done: 1, pending: 0, failed: 0 });
    expect(seen.takeAsked()).toContain('supply/tide');
  });

  test('that wait for more than a minute are overdue if they never ran, and not if they are made again', async () => {
    const { watcher, watch, release, checkRecords, watermarks, clock } = await openCrowded();
    await watch(TIDE, SUPPLY_ONLY);
    await watch({ kind: 'project', slug: project('heron').slug }, SUPPLY_ONLY);
    const old = { triedAt: clock.now(), okAt: later(clock.now(), -HOUR), failures: 0, hidden: 0, broken: 0, complete: true };
    await checkRecords.record({ feed: 'supply', subject: 'tide', ...old });
    await watermarks.set('supply/tide', { source: SOURCE, watermark: { alerted: [] }, pending: [] });
    const since = clock.now();
    const waits = ['tide', 'heron'].map(async (name) => watcher.firstChecks({ kind: 'project', slug: project(name).slug }, HERE));
    await settled();
    await clock.advance(MINUTE + 1);
    expect([...watcher.overdue()]).toEqual([['supply/heron', { since, neverRan: true }]]);
    release();
    await Promise.all(waits);
    await watcher.idle();
  });
});

describe('a sweep', () => {
  test('while somebody watches everything forgets the wallets that nobody watches, and nothing else', async () => {
    const { watcher, watch, watermarks, marked } = await openWith(({ seen, feeds }) => ({
      feeds: [...feeds, seen.feed({ id: 'wallet', scope: 'wallet' })],
    }));
    await watch(ALL);
    await watch({ kind: 'wallet', address: WALLET }, {}, OTHER);
    for (const key of [`wallet/${WALLET}`, `wallet/${UNWATCHED}`, 'supply/unlisted', 'launches/all'])
      await watermarks.set(key, { source: SOURCE, watermark: { alerted: [] }, pending: [] });
    await watcher.forgetUnwatched();
    expect((await marked()).toSorted()).toEqual(['launches/all', 'supply/unlisted', `wallet/${WALLET}`].toSorted());
  });

  test('keeps the watermark of what was checked within the last minute: a first check looks back that far, and would find the same again', async () => {
    const { watcher, watch, tick, clock, marked } = await openWatcherHarness();
    await watch(TIDE, { modes: { growth: 'off', launches: 'off' } });
    await tick();
    await watch(TIDE, { modes: { supply: 'off', growth: 'off', launches: 'off' } });
    await clock.advance(MINUTE - 1);
    await watcher.forgetUnwatched();
    expect(await marked()).toEqual(['supply/tide']);
    await clock.advance(1);
    await watcher.forgetUnwatched();
    expect(await marked()).toEqual(['supply/tide']);
    await clock.advance(MINUTE);
    await watcher.forgetUnwatched();
    expect(await marked()).toEqual([]);
  });

  test('keeps the record that says which events of a watermark are routed until the watermark goes, and looks again until then', async () => {
    const { watcher, watermarks, checkRecords, clock, marked } = await openWatcherHarness();
    const at = clock.now();
    const record = { triedAt: at, okAt: at, failures: 0, hidden: 0, broken: 0, complete: true };
    const [routed, pending] = [burn(1, at, { checkedAt: at }), burn(2, at, { checkedAt: at })];
    await checkRecords.record({ feed: 'supply', subject: 'tide', ...record, routed: { at, events: [routed.id] } });
    await checkRecords.record({ feed: 'supply', subject: 'heron', ...record, routed: { at, events: ['supply/heron/1'] } });
    await checkRecords.record({ feed: 'supply', subject: 'alder', ...record });
    await watermarks.set('supply/tide', { source: SOURCE, watermark: {}, pending: [routed, pending] });
    await clock.advance(MINUTE);
    await watcher.forgetUnwatched();
    expect(checkRecords.all().map(({ subject }) => subject)).toEqual(['tide']);
    await watermarks.set('supply/tide', { source: SOURCE, watermark: {}, pending: [routed] });
    await watcher.forgetUnwatched();
    expect([checkRecords.all(), await marked()]).toEqual([[], []]);
  });

  test('that left something is made again with the next one, and keeps alerts of rules that have not reached every chat', async () => {
    const { watcher, watermarks, rules, clock, marked } = await openWatcherHarness();
    const document = { source: SOURCE, watermark: {}, pending: [] };
    for (const name of ['tide', 'heron'])
      await watermarks.set(`supply/${name}`, { ...document, pending: name === 'tide' ? [burn(1, clock.now())] : [] });
    await rules.commit('supply/heron', { ...NO_RULES, crossed: { events: [burn(2, clock.now())], shared: [] } });
    await watcher.forgetUnwatched();
    expect((await marked()).toSorted()).toEqual(['supply/heron', 'supply/tide']);
    await Promise.all([watermarks.set('supply/tide', document), rules.routed('supply/heron')]);
    await watcher.forgetUnwatched();
    expect(await marked()).toEqual([]);
  });

  test('that left nothing is not made again within the hour, also when it forgot something, unless the clock is set back', async () => {
    let [scans, back] = [0, 0];
    const { watcher, watermarks } = await openWith(({ context, clock }) => ({
      clock: { ...clock, now: () => later(clock.now(), -back) },
      watermarks: {
        ...context.watermarks,
        scan(under?: string) {
          scans += 1;
          return context.watermarks.scan(under);
        },
      },
    }));
    await watermarks.set('supply/tide', { source: SOURCE, watermark: {}, pending: [] });
    await watcher.forgetUnwatched();
    await watcher.forgetUnwatched();
    expect(scans).toBe(1);
    back = DAY;
    await watcher.forgetUnwatched();
    expect(scans).toBe(2);
  });

  test('forgets which first checks are waited for with what nobody watches any more', async () => {
    const { watcher, watch, watchlists, tick, seen, firstChecks } = await openWatcherHarness();
    await watch(TIDE, SUPPLY_ONLY);
    await watch({ kind: 'project', slug: project('heron').slug }, SUPPLY_ONLY);
    seen.fails(trouble('unreachable'));
    await tick();
    expect(firstChecks.keys()).toEqual(['supply/tide', 'supply/heron']);
    await watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
    await watcher.forgetUnwatched();
    expect(firstChecks.keys()).toEqual(['supply/heron']);
  });
});

test('a check waits for the name of its project, so that no alert has the slug in its place', async () => {
  const { context, directory, seen, watch } = await openWatcherHarness();
  await watch(TIDE);
  const supply = seen.feed();
  const checked: Subject[] = [];
  const check: Feed['check'] = async (subject, ...rest) => {
    checked.push(subject);
    return supply.check(subject, ...rest);
  };
  let isRead: (project: Project) => void = () => {};
  const described: Directory['described'] = async () => new Promise((resolve) => (isRead = resolve));
  const watcher = new Watcher({ ...context, feeds: [{ ...supply, check }], directory: { ...directory, described } });
  await watcher.tick();
  await settled();
  expect(checked).toEqual([]);
  const tide: Project = { ...project('tide'), name: 'Tidewater', symbol: 'TIDE' };
  isRead(tide);
  await watcher.idle();
  expect(checked).toEqual([tide]);
});
