import { expect, test } from 'vitest';
import type { Analytics, CallOptions } from '../../src/analytics/analytics.js';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { readRule } from '../../src/alerts/rules/read-rule.js';
import type { KindRules } from '../../src/alerts/rules/rule.js';
import { address, type Address } from '../../src/chat/address.js';
import { DAY, HOUR, instant, later, SECOND, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { defineFeed, type Feed, type PastSnapshots } from '../../src/feeds/feed.js';
import { launches } from '../../src/feeds/launches.js';
import { premium, type PremiumSeen } from '../../src/feeds/premium.js';
import { supply } from '../../src/feeds/supply.js';
import { treasury } from '../../src/feeds/treasury.js';
import { BacktestQueue } from '../../src/jobs/backtest-queue.js';
import { handClock, settled } from '../support/clock.js';
import { project } from './fake-service.js';

const TIDE = project('tide');
const CHAT = address('console', 'main');

const rulesOf = (text: string): KindRules => {
  const found = readRule(text);
  if (!found.read) throw new Error(found.says);
  return found.rules;
};

const analyticsWith = (limit?: number): Analytics => ({
  call: async () => Promise.reject(new Error('nobody is asked')),
  walk: async () => Promise.reject(new Error('nobody is asked')),
  kept: async () => undefined,
  state: () => ({ budget: { used: 100, resetsAt: instant(0), ...(limit === undefined ? {} : { limit }) } }),
});

/** Premiums of so many days, today's last. */
const days = (now: Instant, values: readonly number[]): PastSnapshots<PremiumSeen> => {
  const points = values.map((value, index) => ({ at: later(now, -(values.length - 1 - index) * DAY), value }));
  return {
    ...{ at: now, since: points[0]?.at, hidden: 0, broken: 0 },
    snapshots: points.map(({ at, value }) => ({
      ...{ at, complete: true, hidden: 0, broken: 0 },
      data: { gap: decimal(value), reported: undefined, price: undefined, navPerShare: undefined, nav: undefined, updatedAt: at, past: [] },
    })),
  };
};

interface Options {
  readonly limit?: number;
  readonly okAt?: Instant;
  readonly read?: (options: CallOptions, from: Instant) => void | Promise<void>;
  /** Of reading the premium. */
  readonly cost?: number;
  readonly values?: readonly number[];
}

function backtests({ limit, okAt, read = () => {}, cost = 1, values = [-5, -11] }: Options = {}) {
  const clock = handClock();
  const past = days(clock.now(), values);
  const known = { resolution: 'day', measures: ['premium'], lacks: {} } as const;
  const feeds: readonly Feed[] = [
    defineFeed({
      ...premium.spec,
      history: {
        ...known,
        cost,
        read: async (_, { options, from }) => {
          await read(options, from);
          options.signal?.throwIfAborted();
          return past;
        },
      },
    }),
    defineFeed({
      ...supply.spec,
      history: {
        ...known,
        cost: undefined,
        read: async () => ({ at: clock.now(), since: undefined, hidden: 0, broken: 0, snapshots: [] }),
      },
    }),
    treasury,
    launches,
  ];
  const record = { feed: '', subject: '', triedAt: clock.now(), failures: 0, hidden: 0, broken: 0, complete: true };
  const checkRecords = { read: () => (okAt === undefined ? undefined : { ...record, okAt }) };
  const backtests = new BacktestQueue({ feeds, checkRecords, clock });
  const run = async (...asked: Parameters<typeof backtests.run>) => backtests.run(...asked);
  return {
    clock,
    run: async (text: string, more = {}) =>
      run({ chat: CHAT, project: TIDE, rules: rulesOf(text), confirmed: false, analytics: analyticsWith(limit), ...more }),
  };
}

test('a kind without history, and measures without one, are answered with the reason and without a request', async () => {
  const { run } = backtests();
  expect(await run('launches stages:live')).toMatchObject({ kind: 'no-history', because: [expect.any(String)] });
  expect(await run('treasury runway<6 allowance changes')).toMatchObject({
    kind: 'no-history',
    because: [expect.any(String), expect.any(String)],
  });
  const { run: ask } = backtests();
  expect(await ask('premium<-10', { rules: { kind: 'weather', filters: {}, thresholds: [] } })).toMatchObject({
    kind: 'no-history',
    because: [expect.stringContaining('weather')],
  });
});

test('of several rules those whose measure has a history are tried, and the measures of the others are named', async () => {
  const { run } = backtests();
  expect(await run('premium<-10')).toMatchObject({ without: [] });
  const both = { ...rulesOf('premium<-10'), thresholds: [...rulesOf('premium<-10').thresholds, ...rulesOf('price>1').thresholds] };
  expect(await run('premium<-10', { rules: both })).toMatchObject({
    without: ['price'],
    report: { perRule: [{ rule: { measure: 'premium' }, alerts: 1 }] },
  });
});

test('joined conditions are tried where all their measures have a history, and else the reply names what has none', async () => {
  const { run } = backtests();
  expect(await run('premium<-10 and nav>1m')).toMatchObject({ kind: 'no-history' });
  expect(await run('nav<5m and runway<6')).toMatchObject({ kind: 'no-history', because: [expect.stringContaining('runway')] });
});

test('an entry of several projects is asked which', async () => {
  expect(await backtests().run('premium<-10', { project: undefined })).toEqual({ kind: 'which-project' });
});

test('a list of unknown length needs a confirmation where the month has a limit, unless a check has read it today', async () => {
  expect(await backtests({ limit: 500 }).run('supply usd>1')).toEqual({ kind: 'costly', calls: 10, left: 400 });
  expect(await backtests({ limit: 500 }).run('supply usd>1', { confirmed: true })).toMatchObject({ kind: 'report' });
  expect(await backtests({ limit: 500, okAt: later(handClock().now(), -HOUR) }).run('supply usd>1')).toMatchObject({ kind: 'report' });
  expect(await backtests().run('supply usd>1')).toMatchObject({ kind: 'report' });
  for (const cost of [1, 3]) expect(await backtests({ limit: 500, cost }).run('premium<-10')).toMatchObject({ kind: 'report' });
  expect(await backtests({ limit: 500, cost: 4 }).run('premium<-10')).toEqual({ kind: 'costly', calls: 4, left: 400 });
  expect(await backtests({ limit: 500, okAt: later(handClock().now(), -DAY) }).run('supply usd>1')).toMatchObject({ kind: 'costly' });
});

test('the requests that it took are reported; a saved copy takes none', async () => {
  expect(await backtests({ read: ({ meter }) => meter?.count() }).run('premium<-10')).toMatchObject({ calls: 1 });
  expect(await backtests().run('premium<-10')).toMatchObject({ calls: 0 });
});

test('a day-old copy of the history of a year suffices', async () => {
  const asked: unknown[] = [];
  const { run, clock } = backtests({ read: ({ maxAge }, from) => void asked.push([maxAge, from]) });
  await run('premium<-10');
  expect(asked).toEqual([[DAY, later(clock.now(), -365 * DAY)]]);
});

test('a history that is not read within 45 seconds is a timeout of the service', async () => {
  const { run, clock } = backtests({
    read: async ({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
  });
  const failed = run('premium<-10').catch((cause: unknown) => cause);
  await clock.advance(45 * SECOND - 1);
  expect(clock.sleepers()).toBe(1);
  await clock.advance(1);
  expect(await failed).toMatchObject({ trouble: 'timeout', row: 'backtest' });
  expect(await failed).toBeInstanceOf(AnalyticsError);
});

test('a project of 40 days has no figure of 90 and 365 days but one since its first value', async () => {
  const { run, clock } = backtests({ values: Array.from({ length: 40 }, (_, index) => (index % 10 === 5 ? -11 : -5)) });
  const since = later(clock.now(), -39 * DAY);
  expect(await run('premium<-10')).toMatchObject({
    report: {
      periods: [
        { days: 30, since: undefined, alerts: 3 },
        { days: 90, since, alerts: 4 },
      ],
      from: since,
    },
  });
});

test('a rule that ends by itself is tried as if it went on', async () => {
  const { run } = backtests({ values: [-5, -11, -5, -11, -5, -11] });
  const alerts = async (text: string) => {
    const answer = await run(text);
    return answer.kind === 'report' ? answer.report.firings.length : undefined;
  };
  expect(await alerts('premium<-10 once')).toBe(3);
  expect(await alerts('premium<-10 until 2026-12-01')).toBe(3);
});

test('no history at all is a report without alerts, periods of the last days and suggestions', async () => {
  const { run } = backtests({ values: [] });
  expect(await run('premium<-10')).toMatchObject({ kind: 'report', report: { firings: [], evaluated: 0 } });
});

test('it ends with the question that was given up', async () => {
  const gone = new AbortController();
  gone.abort(new Error('gone'));
  await expect(backtests().run('premium<-10', { signal: gone.signal })).rejects.toThrow('gone');
});

test('a crowd is sent away instead of waiting longer than an answer may take', async () => {
  const { run } = backtests();
  const kinds = await Promise.all(
    Array.from({ length: 25 }, async (_, index) => (await run('premium<-10', { chat: address('console', `chat${index}`) })).kind),
  );
  expect(kinds.filter((kind) => kind === 'busy')).toHaveLength(5);
  expect((await run('premium<-10')).kind).toBe('report');
});

test('one chat does not take the turns of the others', async () => {
  const { run } = backtests();
  const kindOf = async (chat: Address) => (await run('premium<-10', { chat })).kind;
  const crowd = Array.from({ length: 20 }, async () => kindOf(CHAT));
  expect(await kindOf(address('console', 'other'))).toBe('report');
  expect((await Promise.all(crowd)).filter((kind) => kind === 'report')).toHaveLength(4);
  expect(await kindOf(CHAT)).toBe('report');
});

test('a turn that a chat has used is free again for it, and no more than that one', async () => {
  const ends: (() => void)[] = [];
  const { run } = backtests({ read: async () => new Promise<void>((resolve) => ends.push(resolve)) });
  const asked = Array.from({ length: 4 }, async () => run('premium<-10'));
  await settled();
  ends.shift()?.();
  expect((await Promise.race(asked)).kind).toBe('report');
  const fifth = run('premium<-10');
  await settled();
  expect((await run('premium<-10')).kind).toBe('busy');
  for (const end of ends) end();
  expect((await fifth).kind).toBe('report');
  await Promise.all(asked);
});

test('a list of all projects costs its pages once a day, whatever checks have read of the project', async () => {
  const clock = handClock();
  const how = { at: clock.now(), since: undefined, hidden: 0, broken: 0, snapshots: [] };
  const feed = defineFeed({
    ...supply.spec,
    history: { resolution: 'event', measures: [], lacks: {}, cost: undefined, otherLists: 1, read: async () => how },
  });
  const record = { feed: '', subject: '', triedAt: clock.now(), failures: 0, hidden: 0, broken: 0, complete: true };
  const backtests = new BacktestQueue({ feeds: [feed], checkRecords: { read: () => ({ ...record, okAt: clock.now() }) }, clock });
  const run = async (...asked: Parameters<typeof backtests.run>) => backtests.run(...asked);
  const ask = async (confirmed: boolean) =>
    run({ chat: CHAT, project: TIDE, rules: rulesOf('supply usd>1'), confirmed, analytics: analyticsWith(500) });
  expect(await ask(false)).toEqual({ kind: 'costly', calls: 10, left: 400 });
  expect(await ask(true)).toMatchObject({ kind: 'report' });
  expect(await ask(false)).toMatchObject({ kind: 'report' });
});
