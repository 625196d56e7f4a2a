import { describe, expect, test } from 'vitest';
import { GATHER, MAX_GATHER } from '../../src/alerts/queue/batch.js';
import { DAY, HOUR, later, MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { Notifier } from '../../src/chat/notifier.js';
import { FEEDS } from '../../src/feeds/index.js';
import { fullReport, panelState, storeReport, type ReportContext } from '../../src/operations/status-report.js';
import { StoreError } from '../../src/store/store.js';
import { ALL, burn, CHAT, platform, TIDE } from '../alerts/harness.js';
import { FULL, openRunning } from './running.js';

const OTHER = address('console', 'other');

const panelOf = async (context: ReportContext) => panelState(context, async () => storeReport(context));

const feedIn = async ({ context }: Awaited<ReturnType<typeof openRunning>>, id: string) =>
  (await fullReport(context)).feeds.find((feed) => feed.id === id);

describe('a bot that has just begun', () => {
  test('has asked nothing, checked nothing and sent nothing, and calls none of it a failure', async () => {
    const { context } = await openRunning();
    expect(await panelOf(context)).toEqual({
      service: { ok: true, says: 'not asked yet', invented: false },
      feeds: [],
      budget: { used: 0, limit: undefined },
      deliveries: { waiting: 0, sent: 0 },
      store: { ok: true },
    });
    const report = await fullReport(context);
    expect(report.service.ok).toBeUndefined();
    expect(report.feeds.map(({ id, watched, failing, oldestCheck }) => [id, watched, failing, oldestCheck])).toEqual(
      FEEDS.map(({ id }) => [id, 0, 0, undefined]),
    );
    expect(report).toMatchObject({ gaps: [], watching: { projects: 0, wallets: 0, chats: 0 }, runningSince: context.clock.now() });
  });
});

describe('the service', () => {
  test('that answers is ok, with how long it took and what it has cost', async () => {
    const { context, ask } = await openRunning({ requestsPerMonth: 500 });
    await ask();
    expect(await panelOf(context)).toMatchObject({ service: { ok: true, says: 'ok (0 ms)' }, budget: { used: 1, limit: 500 } });
    expect((await fullReport(context)).service).toMatchObject({
      name: 'the service of the tests',
      ok: true,
      budget: { used: 1, limit: 500 },
    });
  });

  test('that fails is named with its trouble, and recalls when it last did not', async () => {
    const { context, ask, refuse, clock } = await openRunning();
    await ask();
    const wellAt = clock.now();
    await clock.advance(HOUR);
    refuse();
    await ask();
    expect((await panelOf(context)).service).toEqual({ ok: false, says: 'failing: key-refused', invented: false });
    expect((await fullReport(context)).service).toMatchObject({ ok: false, trouble: 'key-refused', lastOkAt: wellAt });
  });

  test('is not asked for a report', async () => {
    const { context, asked } = await openRunning();
    await panelOf(context);
    await fullReport(context);
    expect(asked).toEqual([]);
  });
});

test('a store that takes no writes is in the strip, without its path', async () => {
  const { context } = await openRunning();
  const store = {
    ...context.store,
    check: async () => Promise.reject(new StoreError('full', 'store: no room is left for /home/someone/data')),
  };
  const { problem } = (await panelOf({ ...context, store })).store;
  expect((await panelOf({ ...context, store })).store.ok).toBe(false);
  expect(problem).toContain('disk of the database is full');
  expect(problem).not.toContain('someone');
});

describe('the checks of a kind', () => {
  test('are as old as the oldest success among them', async () => {
    const bot = await openRunning();
    await bot.looked({ okAt: later(bot.clock.now(), -MINUTE) });
    await bot.looked({ subject: 'heron', okAt: later(bot.clock.now(), -HOUR) });
    await bot.looked({ feed: 'growth', okAt: later(bot.clock.now(), -DAY) });
    expect(await feedIn(bot, 'supply')).toEqual({ id: 'supply', watched: 2, failing: 0, oldestCheck: bot.clock.now() - HOUR });
    expect(await feedIn(bot, 'growth')).toMatchObject({ watched: 1, oldestCheck: bot.clock.now() - DAY });
  });

  test('have no age while one of them never succeeded', async () => {
    const bot = await openRunning();
    await bot.looked();
    await bot.looked({ subject: 'heron', okAt: undefined, failures: 1, problem: 'timeout' });
    expect(await feedIn(bot, 'supply')).toEqual({ id: 'supply', watched: 2, failing: 1, oldestCheck: undefined });
  });

  test('leave out what the service has none of, which is no failure', async () => {
    const bot = await openRunning();
    await bot.looked({ okAt: undefined, failures: 4, problem: 'unknown' });
    expect(await feedIn(bot, 'supply')).toEqual({ id: 'supply', watched: 0, failing: 0, oldestCheck: undefined });
    await bot.looked({ subject: 'heron', failures: 1, problem: 'malformed' });
    expect(await feedIn(bot, 'supply')).toMatchObject({ watched: 1, failing: 1 });
  });

  test('stand in the strip only where anything is checked', async () => {
    const bot = await openRunning();
    await bot.looked({ feed: 'growth' });
    expect((await panelOf(bot.context)).feeds.map(({ id }) => id)).toEqual(['growth']);
  });
});

test('what the service no longer has of a project leaves no gap behind', async () => {
  const bot = await openRunning();
  await bot.looked({ hidden: 3, complete: false });
  expect((await fullReport(bot.context)).gaps).toHaveLength(1);
  await bot.looked({ hidden: 3, complete: false, failures: 1, problem: 'unknown' });
  expect((await fullReport(bot.context)).gaps).toEqual([]);
});

test('every gap is alerted, once each', async () => {
  const bot = await openRunning();
  await bot.looked();
  await bot.looked({ subject: 'heron', hidden: 70, complete: false });
  await bot.looked({ feed: 'launches', subject: 'all', broken: 1 });
  expect((await fullReport(bot.context)).gaps).toEqual([
    "heron supply: the data plan hides 70 rows. Changes in them can't be detected",
    "launches: 1 row couldn't be read. Alerts follow as soon as possible",
  ]);
});

test('a project checked for several kinds is one, and a check of all of them is none', async () => {
  const bot = await openRunning();
  await bot.looked();
  await bot.looked({ feed: 'growth' });
  await bot.looked({ subject: 'heron' });
  await bot.looked({ feed: 'launches', subject: 'all' });
  await bot.watch(TIDE);
  await bot.watch(ALL, {}, OTHER);
  await bot.watchlists.change(address('console', 'quiet'), (chat) => ({ ...chat, mutedUntil: bot.clock.now() }));
  expect((await fullReport(bot.context)).watching).toEqual({ projects: 2, wallets: 0, chats: 2 });
  // Only lists of launches name it.
  await bot.looked({ subject: 'marsh', failures: 1, problem: 'unknown' });
  expect((await fullReport(bot.context)).watching.projects).toBe(2);
});

describe('deliveries', () => {
  test('wait until they are sent, those under way included, over all chats', async () => {
    const bot = await openRunning();
    await bot.watch(TIDE);
    await bot.watch(TIDE, {}, OTHER);
    await bot.announce(burn(1, bot.clock.now()), burn(2, bot.clock.now()));
    expect((await panelOf(bot.context)).deliveries).toEqual({ waiting: 4, sent: 0 });
    bot.to.answers({ kind: 'later', because: 'unreachable' });
    await bot.clock.advance(GATHER);
    await bot.deliverTo(CHAT);
    expect((await panelOf(bot.context)).deliveries).toEqual({ waiting: 4, sent: 0 });
    await bot.deliverTo(OTHER);
    expect((await panelOf(bot.context)).deliveries).toEqual({ waiting: 2, sent: 1 });
  });

  test('count as sent for a day, and not at all when they were given up', async () => {
    const bot = await openRunning();
    await bot.watch(TIDE);
    const tell = async (amount: number): Promise<void> => {
      await bot.announce(burn(amount, bot.clock.now()));
      // What follows a message closely waits longer than what comes alone.
      await bot.clock.advance(MAX_GATHER);
      await bot.deliverTo(CHAT);
    };
    await tell(1);
    bot.to.answers({ kind: 'refused', detail: 'too long' });
    await tell(2);
    expect((await fullReport(bot.context)).deliveries).toEqual({ waiting: 0, sent: 1 });
    // By whole hours: it was sent in the first minute of one.
    await bot.clock.advance(DAY - 2 * MAX_GATHER - 1);
    expect((await fullReport(bot.context)).deliveries).toEqual({ waiting: 0, sent: 1 });
    await bot.clock.advance(1);
    expect((await fullReport(bot.context)).deliveries).toEqual({ waiting: 0, sent: 0 });
  });
});

test('each platform says for itself how it is', async () => {
  const ill: Notifier = { ...platform().notifier, platform: 'carrier', diagnose: async () => ({ ok: false, says: 'the pigeons are out' }) };
  const { context } = await openRunning({ notifiers: [platform().notifier, ill] });
  expect((await fullReport(context)).platforms).toEqual([
    { name: 'console', ok: true, says: 'ok' },
    { name: 'carrier', ok: false, says: 'the pigeons are out' },
  ]);
});

test('a store that takes no writes is alerted with its remedy, and everything else is still alerted', async () => {
  const { context, fillDisk } = await openRunning();
  expect((await fullReport(context)).store).toEqual({ ok: true, says: 'ok' });
  fillDisk();
  expect(await fullReport(context)).toMatchObject({ store: { ok: false, says: FULL }, platforms: [{ name: 'console', ok: true }] });
});

test('checks that wait for long are counted, those that never ran apart', async () => {
  const { context } = await openRunning();
  expect((await fullReport(context)).overdue).toEqual({ late: undefined, first: undefined });
  const [older, younger] = [later(context.clock.now(), -HOUR), later(context.clock.now(), -MINUTE)];
  const overdue = () =>
    new Map([
      ['supply/tide', { since: younger, neverRan: false }],
      ['growth/tide', { since: older, neverRan: false }],
      ['premium/tide', { since: younger, neverRan: true }],
    ]);
  const report = await fullReport({ ...context, overdue });
  expect(report.overdue).toEqual({ late: { checks: 2, since: older }, first: { checks: 1, since: younger } });
});
