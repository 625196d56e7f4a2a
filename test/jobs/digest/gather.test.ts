/** What a digest counts: failing checks, alerts that did not arrive or wait, and what it knows nothing of. */
import { expect, test } from 'vitest';
import type { CheckRecord } from '../../../src/alerts/checks/check-records.js';
import type { Receipt } from '../../../src/alerts/queue/receipts.js';
import type { Entry } from '../../../src/alerts/watchlist/entry.js';
import { DAY, HOUR, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { gatherDigest } from '../../../src/jobs/digest/gather.js';
import { ALL, CHAT, entry, LAUNCHES, TIDE } from '../../alerts/harness.js';
import { openJobsHarness } from '../harness.js';

const WALLET = { kind: 'wallet', address: walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd') } as const;
const HERON = { kind: 'project', slug: slug('heron') } as const;

async function open(...entries: readonly ((at: Instant) => Entry)[]) {
  const harness = await openJobsHarness();
  const { clock, watchlists, queues, checkRecords, poll } = harness;
  const begun = clock.now();
  await watchlists.change(CHAT, (chat) => ({ ...chat, entries: entries.map((one) => one(begun)) }));
  await clock.advance(DAY);
  const record = async (feed: string, subject: string, extra: Partial<CheckRecord> = {}): Promise<void> =>
    checkRecords.record({
      ...{ feed, subject, triedAt: clock.now(), okAt: clock.now(), failures: 0, hidden: 0, broken: 0, complete: true },
      ...extra,
    });
  return {
    ...harness,
    record,
    gather: async () =>
      gatherDigest(watchlists.read(CHAT), { from: later(clock.now(), -DAY), to: clock.now() }, { ...harness, analytics: poll.analytics }),
    change: async (parts: Parameters<typeof queues.change>[1]) => queues.change(CHAT, parts),
  };
}
const watching =
  (target: Entry['target'], extra: Partial<Entry> = {}) =>
  (at: Instant) =>
    entry(target, at, extra);

test('checks that fail are those of what the chat follows, but for what the service does not have', async () => {
  const { record, gather } = await open(watching(TIDE, { modes: { vesting: 'off' } }), watching(WALLET));
  await record('supply', 'tide', { failures: 2, problem: 'unreachable' });
  await record('movements', 'tide');
  await record('vesting', 'tide', { failures: 2, problem: 'unreachable' });
  await record('supply', 'heron', { failures: 2, problem: 'unreachable' });
  await record('launches', 'all', { failures: 2, problem: 'unreachable' });
  await record('growth', 'tide', { failures: 2, problem: 'unknown' });
  expect(await gather()).toMatchObject({ failing: 1, wallets: 1 });
  await record('wallet', WALLET.address, { failures: 1, problem: 'timeout' });
  expect(await gather()).toMatchObject({ failing: 2 });
});

test('lists of everything are followed by an entry that covers them, and each project by one for all', async () => {
  for (const [target, failing] of [
    [LAUNCHES, 1],
    [ALL, 3],
    [WALLET, 0],
  ] as const) {
    const { record, gather } = await open(watching(target));
    await record('launches', 'all', { failures: 1, problem: 'timeout' });
    await record('supply', 'tide', { failures: 1, problem: 'timeout' });
    await record('supply', 'heron', { failures: 1, problem: 'timeout' });
    expect([(await gather()).failing, target]).toEqual([failing, target]);
  }
});

test('the oldest good check is that of what the chat follows, of checks that do not fail', async () => {
  const { record, gather, clock } = await open(watching(TIDE));
  expect((await gather()).checkedAt).toBeUndefined();
  const ago = (hours: number): Instant => later(clock.now(), -hours * HOUR);
  await record('supply', 'tide', { okAt: ago(1) });
  await record('movements', 'tide', { okAt: ago(2) });
  await record('growth', 'tide', { okAt: ago(9), failures: 1, problem: 'timeout' });
  await record('vesting', 'tide', { okAt: undefined });
  await record('supply', 'heron', { okAt: ago(8) });
  expect((await gather()).checkedAt).toBe(ago(2));
});

test('where every check fails, the digest is as old as the oldest last answer', async () => {
  const { record, gather, clock } = await open(watching(TIDE));
  await record('supply', 'tide', { okAt: later(clock.now(), -HOUR), failures: 2, problem: 'timeout' });
  await record('growth', 'tide', { okAt: undefined, failures: 2, problem: 'timeout' });
  expect((await gather()).checkedAt).toBe(later(clock.now(), -HOUR));
});

test('alerts that did not arrive in the period are counted, without samples; those that may have are not', async () => {
  const { change, gather, clock } = await open(watching(TIDE));
  const member = (sample?: true) => ({ event: 'supply/tide/1', entry: 'tide', queuedAt: clock.now(), ...(sample && { sample }) });
  const receipt = (end: Receipt['end'], minutes: number, members: Receipt['members']): Receipt => ({
    ...{ id: `${end}${minutes}`, end, members, attempts: 1, endedAt: later(clock.now(), -DAY + minutes * MINUTE) },
  });
  const two = [member(), member()];
  await change((queue) => ({
    ...queue,
    receipts: [
      receipt('sent', 9, two),
      receipt('maybe sent', 8, two),
      receipt('refused', 7, two),
      receipt('expired', 6, [member(), member(true)]),
      receipt('dropped', 5, [member()]),
      receipt('dropped', 0, two),
    ],
  }));
  expect(await gather()).toMatchObject({ undelivered: 4 });
});

test('alerts that a mute holds back are counted, without samples, and those that only wait their turn are not', async () => {
  const { change, gather, clock, watchlists } = await open(watching(TIDE), watching(HERON));
  const until = later(clock.now(), HOUR);
  await change((queue) => ({
    ...queue,
    waiting: [
      ...['tide', 'tide', 'heron'].map((name, index) => ({ event: `supply/${name}/${index}`, entry: name, queuedAt: clock.now() })),
      { event: 'supply/tide/9', entry: 'tide', queuedAt: clock.now(), sample: true as const },
    ],
  }));
  expect(await gather()).toMatchObject({ suppressed: 0 });
  await watchlists.change(CHAT, (chat) => ({
    ...chat,
    entries: chat.entries.map((one) => (one.target.kind === 'project' && one.target.slug === 'tide' ? { ...one, mutedUntil: until } : one)),
  }));
  expect(await gather()).toMatchObject({ suppressed: 2 });
  await watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: until }));
  expect(await gather()).toMatchObject({ suppressed: 3 });
});

test('projects are those with the premium switched on, once each, and unknown while none was read', async () => {
  const { gather, record } = await open(watching(TIDE), watching(HERON, { modes: { premium: 'off' } }));
  expect(await gather()).toMatchObject({ projects: 1, unknown: ['tide'], wallets: 0, moves: [] });
  const all = await open(watching(ALL), watching(TIDE));
  await all.record('premium', 'tide');
  await all.record('premium', 'heron');
  await all.record('supply', 'other');
  expect(await all.gather()).toMatchObject({ projects: 2, unknown: ['heron', 'tide'] });
  await record('premium', 'heron');
  expect(await gather()).toMatchObject({ projects: 1 });
});

test('a project that the service has only launches of is neither counted nor unknown', async () => {
  const { gather, record } = await open(watching(ALL));
  const absent = { failures: 1, problem: 'unknown' };
  for (const feed of ['premium', 'supply', 'treasury']) await record(feed, 'marsh', absent);
  await record('premium', 'tide');
  // It has no premium, but a ledger.
  await record('premium', 'heron', absent);
  await record('supply', 'heron');
  expect(await gather()).toMatchObject({ projects: 2, unknown: ['heron', 'tide'] });
});

test('a span that begins before the watch says since when events are known', async () => {
  const { gather, clock } = await open(watching(TIDE));
  expect((await gather()).watchedSince).toBeUndefined();
  const lately = later(clock.now(), HOUR - DAY);
  expect((await (await open(() => entry(TIDE, lately))).gather()).watchedSince).toBe(lately);
});

test('a result comes with the move of the price since, from the values that checks have read', async () => {
  const { gather, archive, clock, watermarks, record } = await open(watching(TIDE));
  const result = later(clock.now(), -6 * HOUR);
  const decided = {
    feed: 'proposals',
    project: slug('tide'),
    topic: 'proposals/tide/1',
    stage: 'passed',
    facts: { name: 'Tidewater', title: 'Fund it' },
  };
  await archive.keep({ ...decided, id: 'proposals/tide/1/passed', occurredAt: result, detectedAt: result });
  await record('premium', 'tide');
  expect((await gather()).events.map(({ priceSince }) => priceSince)).toEqual([undefined]);
  const point = (at: Instant, price: string) => ({ at, gap: '-2', price });
  const past = [point(later(result, -2 * HOUR), '0.50')];
  await watermarks.set('premium/tide', { source: '', pending: [], watermark: { past, last: point(later(result, 5 * HOUR), '0.51') } });
  expect((await gather()).events.map(({ priceSince }) => Number(priceSince))).toEqual([2]);
});

test('a digest of a chat that has just begun to watch has nothing that was found before, dated by the service or not', async () => {
  const { archive, clock, watchlists, gather } = await open(watching(TIDE));
  const [now, facts] = [clock.now(), { name: 'Tidewater', publicKey: 'P', title: 'Audit' }];
  const found = async (key: string, at: Instant): Promise<void> => {
    const topic = `proposals/tide/${key}`;
    await archive.keep({
      ...{ id: `${topic}/created`, topic, feed: 'proposals', stage: 'created', project: slug('tide'), detectedAt: at },
      facts,
    });
  };
  await watchlists.change(CHAT, (chat) => ({ ...chat, entries: [entry(TIDE, later(now, -MINUTE))] }));
  await found('before', later(now, -15 * MINUTE));
  await found('after', later(now, -MINUTE / 2));
  expect((await gather()).events.map(({ event }) => event.topic)).toEqual(['proposals/tide/after']);
});
