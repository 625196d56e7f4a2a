import { expect, test } from 'vitest';
import { aboutDelivery, editId } from '../../../src/alerts/delivery/message-data.js';
import type { Delivery, Member } from '../../../src/alerts/queue/queue.js';
import { targetName, type Entry, type Target } from '../../../src/alerts/watchlist/entry.js';
import { lineText } from '../../../src/chat/plain-text.js';
import { reply } from '../../../src/chat/reply.js';
import { DEFAULT_TEMPLATES, makeLinks } from '../../../src/domain/links.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { wallet } from '../../../src/feeds/wallet.js';
import { StoreError } from '../../../src/store/store.js';
import { NOON } from '../../feeds/reading.js';
import { createSamples } from '../../../src/alerts/delivery/sample.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import { CORRECTED_STAGE } from '../../../src/feeds/event-content.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { burn, CHAT, entry, openAlertsHarness, platform, TIDE } from '../harness.js';
import { checked, pass, type LiveHarness } from './live-topics.js';

async function watching(): Promise<LiveHarness> {
  const harness = await openAlertsHarness({ to: platform({ edits: true }) });
  await harness.watch(TIDE);
  return harness;
}

const vanished = (event: FeedEvent): FeedEvent => {
  const { occurredAt: _, ...rest } = event;
  return { ...rest, id: `${event.id}/vanished`, stage: CORRECTED_STAGE, corrects: { event: event.id } };
};

test('a delivery has its events as data: kind, stage, size, the entry that matched, and the moment it was composed', async () => {
  const harness = await watching();
  const start = harness.clock.now();
  harness.to.answers({ kind: 'unclear', because: 'timeout' });
  await harness.announce(burn(120, start), burn(7, start));
  await pass(harness, HOUR);
  const [first, second] = harness.to.tried.map(({ about }) => about);
  expect(first).toMatchObject({ kind: 'alert', count: 2 });
  expect(second?.at).toBe(first?.at);
  const events = await second?.events();
  expect(events?.map(({ size }) => size.amount).toSorted()).toEqual(['120', '7']);
  expect(events?.[0]).toMatchObject({ feed: 'supply', stage: 'burn', project: 'tide', entry: 'tide', size: { symbol: 'TIDE' } });
  expect(events?.[0]?.corrects).toBeUndefined();
});

test('a sample says so, with one event of each kind and its crossings', async () => {
  const harness = await watching();
  await createSamples({ feeds: FEEDS, ...harness }).post(CHAT);
  await pass(harness, HOUR);
  const abouts = harness.to.tried.map(({ about }) => about);
  const events = (await Promise.all(abouts.map(async (about) => (await about?.events()) ?? []))).flat();
  expect(new Set(abouts.map((about) => about?.kind))).toEqual(new Set(['sample']));
  expect(new Set(events.map(({ feed }) => feed))).toEqual(new Set(FEEDS.map(({ id }) => id)));
  expect(events.filter(({ crossings }) => crossings !== undefined).length).toBeGreaterThan(1);
});

test('an edit of a live message has one id for its attempts, another for the next edit, and the topic as its event', async () => {
  const harness = await watching();
  await checked(harness, { after: 0, stage: 'live', isNew: true, edge: '0.4' });
  await pass(harness, 10 * MINUTE);
  harness.to.editAnswers({ kind: 'later', because: 'unreachable' }, { kind: 'later', because: 'unreachable' });
  // There, back and there again: equal content is still another edit.
  for (const edge of ['0.6', '0.4', '0.6']) {
    await checked(harness, { after: 0, stage: 'live', edge });
    await pass(harness, 10 * MINUTE);
  }
  const ids = harness.to.editsTried.map(({ id }) => id);
  expect(ids).toHaveLength(5);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(new Set(ids.slice(2)).size).toBe(3);
  const { about } = harness.to.editsTried.at(-1) ?? {};
  expect(about?.kind).toBe('update');
  expect(await about?.events()).toMatchObject([
    { feed: 'proposals', stage: 'live', topic: 'proposals/tide/9xQ', facts: { passEdge: '0.6' } },
  ]);
});

test('a correction names what it corrects; an event that corrects one that was no alert here does not', async () => {
  const harness = await watching();
  const event = burn(1, harness.clock.now());
  await harness.announce(event);
  await pass(harness, MINUTE);
  await harness.announce(vanished(event));
  await pass(harness, MINUTE);
  const { about } = harness.to.editsTried.at(-1) ?? {};
  expect(about?.kind).toBe('correction');
  expect(await about?.events()).toMatchObject([{ id: event.id, corrects: { event: event.id } }]);
  const restated = { ...event, id: 'growth/tide/x', feed: 'growth', topic: 'growth/tide/x', stage: 'restated', project: slug('tide') };
  const facts = { name: 'Tidewater', metric: { id: 'daily-traders' }, day: '2026-11-19', value: '118', was: '120' };
  await harness.announce({ ...restated, facts, corrects: { event: 'growth/tide/y', was: '120', now: '118' } });
  await pass(harness, MINUTE);
  const last = await harness.to.tried.at(-1)?.about?.events();
  expect(last).toMatchObject([{ feed: 'growth' }]);
  expect(last?.[0]?.corrects).toBeUndefined();
});

test('an event that cannot be read any more is left out, and still counted', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  await pass(harness, MINUTE);
  const [{ about } = {}] = harness.to.tried;
  expect(await about?.events()).toHaveLength(1);
  await harness.archive.sweep(later(harness.clock.now(), 1_000 * DAY), () => false);
  expect(await about?.events()).toEqual([]);
  expect(about?.count).toBe(1);
});

/** A delivery of these members, whose events are read from what is given. */
const delivered = (
  members: readonly Member[],
  {
    entries = [],
    extra = {},
    get,
  }: { entries?: readonly Entry[]; extra?: Partial<Delivery>; get: (id: string) => Promise<FeedEvent | undefined> },
) => {
  const delivery: Delivery = {
    ...{ id: 'd', members, sealedAt: NOON, notBefore: NOON, state: 'sealed', attempts: 0, reply: reply({ finding: ['x'] }) },
    ...extra,
  };
  return aboutDelivery(delivery, { address: CHAT, entries }, { archive: { get }, links: makeLinks(DEFAULT_TEMPLATES) });
};
const memberOf = (event: string, extra: Partial<Member> = {}): Member => ({ event, entry: 'tide', queuedAt: NOON, ...extra });

test('a prepared message is a digest', () => {
  const { kind } = delivered([], { extra: { prepared: { queuedAt: NOON, until: NOON } }, get: async () => undefined });
  expect(kind).toBe('digest');
});

test('what is unreadable or fits its feed no more is left out; another failure of the store is the failure of the reader', async () => {
  const unreadable = async () => Promise.reject(new StoreError('unreadable', 'store: it cannot be read'));
  expect(await delivered([memberOf('a')], { get: unreadable }).events()).toEqual([]);
  expect(await delivered([memberOf('a')], { get: async () => burn(1, NOON, { facts: {} }) }).events()).toEqual([]);
  const locked = delivered([memberOf('a')], { get: async () => Promise.reject(new StoreError('locked', 'store: it is locked; wait')) });
  await expect(locked.events()).rejects.toThrow('locked');
  const broken = delivered([memberOf('a')], { get: async () => Promise.reject(new Error('a bug')) });
  await expect(broken.events()).rejects.toThrow('a bug');
});

test('of more than a hundred events the first hundred are named, and all are counted', async () => {
  const about = delivered(
    Array.from({ length: 101 }, (_, index) => memberOf(`supply/tide/${index}`)),
    { get: async (id) => ({ ...burn(1, NOON), id }) },
  );
  expect([about.count, (await about.events()).at(-1)?.id]).toEqual([101, 'supply/tide/99']);
});

test('a wallet is called as its entry calls it, and a sample names no entry', async () => {
  const { crossings, ...sample } = wallet.sample(NOON);
  const target: Target = { kind: 'wallet', address: walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd'), label: 'fund-1' };
  const get = async () => sample;
  const through = delivered([memberOf('a', { entry: targetName(target), ...(crossings && { crossings }) })], {
    entries: [entry(target, NOON)],
    get,
  });
  const [named] = await through.events();
  expect(lineText(named?.headline ?? [], NOON)).toContain('fund-1');
  expect(named).toMatchObject({ crossings, entry: targetName(target) });
  const [plain] = await delivered([memberOf('a', { entry: '', ...(crossings && { crossings }) })], { get }).events();
  expect(lineText(plain?.headline ?? [], NOON)).not.toContain('fund-1');
  expect(plain?.entry).toBeUndefined();
});

test('an event that corrects an alert of this chat says what it corrects', async () => {
  const corrects = { event: 'supply/tide/7', was: '1', now: '2' };
  const [corrected] = await delivered([memberOf('a', { corrects: { event: corrects.event, messageId: 'm' } })], {
    get: async () => burn(1, NOON, { corrects }),
  }).events();
  expect(corrected?.corrects).toEqual(corrects);
});

test('the id of an edit has 22 characters, the same for the same parts', () => {
  expect(editId('a', 'b')).toHaveLength(22);
  expect([editId('a', 'b') === editId('a', 'b'), editId('a', 'b') === editId('ab')]).toEqual([true, false]);
});
