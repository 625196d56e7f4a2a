import { expect, test } from 'vitest';
import { z } from 'zod';
import { MAX_WHOLE_IDLE, openQueues, type Queues } from '../../../src/alerts/queue/queues.js';
import { begin, close, enqueue, seal, type Member, type Receipt } from '../../../src/alerts/queue/queue.js';
import { EVENTS_KEPT_FOR } from '../../../src/alerts/queue/event-archive.js';
import { countSent, sentLately } from '../../../src/alerts/queue/receipts.js';
import { DAY, HOUR, instant, later } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { RuleStates } from '../../../src/alerts/evaluation/rule-states.js';
import { createReachability } from '../../../src/alerts/delivery/reachability.js';
import { openWatchlists } from '../../../src/alerts/watchlist/watchlists.js';
import { silentLog } from '../../../src/base/log.js';
import { handClock } from '../../support/clock.js';
import { CHAT } from '../harness.js';
import { StoreCrash, crashStore, deaths } from '../crash-store.js';

const NOON = instant(Date.UTC(2026, 10, 20, 12));
const says = reply({ finding: ['x'], asOf: NOON });
const member = (name: number | string): Member => ({ event: `supply/tide/${name}`, entry: 'tide', queuedAt: NOON });

/** One alert from the queue to its receipt. */
async function alerted(queues: Queues, members: readonly Member[], chat = CHAT, endedAt = NOON): Promise<void> {
  await queues.change(chat, (queue) => enqueue(queue, members));
  const { open } = await queues.change(chat, (queue) => {
    const sealed = seal(queue, { members, reply: says, now: NOON });
    return begin(sealed, sealed.open?.id ?? '', NOON);
  });
  if (open === undefined) throw new Error('nothing was sealed');
  await queues.change(chat, (queue) => close(queue, { id: open.id, members, end: 'sent', endedAt, attempts: 1 }));
}

const eventsOf = (receipts: readonly Receipt[]): readonly string[] => receipts.flatMap(({ members }) => members.map(({ event }) => event));
const rawDocuments = (store: Store, prefix: string) => store.collection({ prefix, version: 1, schema: z.unknown() });
const pagesIn = async (store: Store): Promise<readonly string[]> => (await rawDocuments(store, 'receipt').list()).found.map(([key]) => key);

test('a queue stays small over a long life, and the last three hundred receipts are kept in order', async () => {
  const store = await openStore('memory://');
  const queues = await openQueues(store);
  queues.recovered();
  for (let number = 0; number < 450; number += 1) await alerted(queues, [member(number)]);
  expect(JSON.stringify(queues.read(CHAT)).length).toBeLessThan(10_000);
  const kept = eventsOf(await (await openQueues(store)).receipts(CHAT));
  expect(kept.length).toBeGreaterThanOrEqual(300);
  expect(kept).toEqual([...kept.keys()].map((index) => `supply/tide/${449 - index}`));
  expect((await pagesIn(store)).length).toBeLessThanOrEqual(16);
});

test('a receipt of a thousand events goes to a page at once', async () => {
  const queues = await openQueues(await openStore('memory://'));
  queues.recovered();
  const many = Array.from({ length: 1_000 }, (_, index) => member(`all/${index}`));
  await alerted(queues, many);
  expect(queues.read(CHAT)).toMatchObject({ receipts: [], alertedAt: NOON });
  await alerted(queues, [member(1)]);
  expect(queues.read(CHAT).receipts).toHaveLength(1);
  expect(eventsOf(await queues.receipts(CHAT))).toEqual(['supply/tide/1', ...many.map(({ event }) => event)]);
});

test('of a chat that was idle for long only the newest receipt is in memory, and none is lost', async () => {
  const store = await openStore('memory://');
  const queues = await openQueues(store);
  queues.recovered();
  for (const number of [1, 2, 3]) await alerted(queues, [member(number)]);
  const others = Array.from({ length: MAX_WHOLE_IDLE }, (_, index) => address('console', `other-${index}`));
  for (const other of others) await queues.change(other, (queue) => enqueue(queue, [member(1)]));
  expect(queues.read(CHAT).receipts.map(({ members }) => members)).toEqual([[member(3)]]);
  expect(eventsOf(await queues.receipts(CHAT))).toEqual(['supply/tide/3', 'supply/tide/2', 'supply/tide/1']);
  await queues.change(CHAT, (queue) => queue);
  await alerted(queues, [member(4)]);
  const kept = ['supply/tide/4', 'supply/tide/3', 'supply/tide/2', 'supply/tide/1'];
  expect(eventsOf(queues.read(CHAT).receipts)).toEqual(kept);
  expect(eventsOf(await (await openQueues(store)).receipts(CHAT))).toEqual(kept);
  // What waits stays in memory, however many wait.
  for (const other of [others[0], others.at(-1)]) expect(queues.read(other ?? CHAT).waiting).toEqual([member(1)]);
});

test('a queue of an earlier version, which holds three hundred receipts, is taken apart with its first change', async () => {
  const store = await openStore('memory://');
  const before = await openQueues(store);
  const receipts = Array.from({ length: 300 }, (_, index): Receipt => {
    return { id: `r${index}`, members: [member(299 - index)], end: 'sent', endedAt: NOON, attempts: 1 };
  });
  await rawDocuments(store, 'queue').set(CHAT, { address: CHAT, waiting: [], receipts, routed: receipts.map(({ id }) => id) });
  expect(before.all()).toEqual([]);
  const queues = await openQueues(store);
  expect(await queues.receipts(CHAT)).toEqual(receipts);
  queues.recovered();
  await queues.change(CHAT, (queue) => enqueue(queue, [member(300)]));
  expect(queues.read(CHAT).receipts.length).toBeLessThanOrEqual(40);
  expect(await queues.receipts(CHAT)).toEqual(receipts);
});

test('a death at any write of a page loses no receipt and doubles none', async () => {
  for (const death of deaths(12)) {
    const store = await openStore('memory://');
    const first = await openQueues(store);
    first.recovered();
    for (let number = 0; number < 40; number += 1) await alerted(first, [member(number)]);
    const dying = await openQueues(crashStore(store, death));
    dying.recovered();
    await alerted(dying, [member(40)]).catch((cause: unknown) => {
      if (!(cause instanceof StoreCrash)) throw cause;
    });
    const after = await openQueues(store);
    after.recovered();
    const { open } = after.read(CHAT);
    if (open !== undefined)
      await after.change(CHAT, (queue) => close(queue, { id: open.id, members: open.members, end: 'sent', endedAt: NOON, attempts: 1 }));
    const kept = eventsOf(await after.receipts(CHAT));
    expect(new Set(kept).size).toBe(kept.length);
    expect(kept.filter((event) => event !== 'supply/tide/40')).toEqual(
      [...Array.from({ length: 40 }).keys()].map((index) => `supply/tide/${39 - index}`),
    );
  }
});

test('ids of routed events stay as long as their routing may be interrupted, and no longer', async () => {
  const store = await openStore('memory://');
  const queues = await openQueues(store);
  const members = [member(1), member(2)];
  await queues.change(CHAT, (queue) => enqueue(queue, members));
  expect(queues.read(CHAT).routed).toHaveLength(2);
  queues.recovered();
  queues.routing('supply/tide', ['supply/tide/3']);
  await queues.change(CHAT, (queue) => enqueue(queue, [member(3)]));
  expect(queues.read(CHAT).routed).toEqual(['supply/tide/3']);
  queues.routing('supply/tide', []);
  await queues.change(CHAT, (queue) => enqueue(queue, [member(4)]));
  expect(queues.read(CHAT).routed).toEqual([]);
});

test('a chat that is forgotten leaves no page, and one that moves takes its pages along', async () => {
  const [store, clock] = [await openStore('memory://'), handClock()];
  const [queues, watchlists] = [await openQueues(store), await openWatchlists(store)];
  queues.recovered();
  for (let number = 0; number < 100; number += 1) await alerted(queues, [member(number)]);
  const to = address('console', 'elsewhere');
  const reachability = createReachability({ watchlists, queues, rules: await RuleStates.open(store), listed: [], clock, log: silentLog });
  const before = await queues.receipts(CHAT);
  await reachability.follow(CHAT, to);
  await reachability.follow(CHAT, to);
  expect(await queues.receipts(to)).toEqual(before);
  expect((await pagesIn(store)).filter((page) => page.startsWith(CHAT))).toEqual([]);
  await queues.forget(to);
  expect(await pagesIn(store)).toEqual([]);
});

test('a chat with pages that takes over the receipts of another one leaves no page that nothing refers to', async () => {
  const store = await openStore('memory://');
  const [queues, watchlists] = [await openQueues(store), await openWatchlists(store)];
  queues.recovered();
  const to = address('console', 'elsewhere');
  for (let number = 0; number < 400; number += 1) await alerted(queues, [member(number)]);
  for (let number = 400; number < 800; number += 1) await alerted(queues, [member(number)], to);
  await createReachability({
    watchlists,
    queues,
    rules: await RuleStates.open(store),
    listed: [],
    clock: handClock(),
    log: silentLog,
  }).follow(CHAT, to);
  const { first = 0, next = 0 } = queues.read(to).pages ?? {};
  expect(await pagesIn(store)).toHaveLength(next - first);
  await queues.forget(to);
  expect(await pagesIn(store)).toEqual([]);
});

test('a page that a crash left without its queue goes when the chat is forgotten', async () => {
  const store = await openStore('memory://');
  const queues = await openQueues(store);
  queues.recovered();
  for (let number = 0; number < 40; number += 1) await alerted(queues, [member(number)]);
  await rawDocuments(store, 'receipt').set(`${CHAT}/0`, { receipts: [] });
  await queues.forget(CHAT);
  expect(await pagesIn(store)).toEqual([]);
});

/** A chat with an alert each six hours for sixty days. */
async function openLongLife(store: Store) {
  const clock = handClock(NOON);
  const watchlists = await openWatchlists(store);
  await watchlists.change(CHAT, (chat) => ({ ...chat, digest: { every: 'day', at: '09:00', since: NOON } }));
  const receipts = Array.from({ length: 240 }, (_, index): Receipt => {
    const endedAt = later(NOON, (239 - index) * 6 * HOUR);
    return { id: `r${index}`, members: [member(239 - index)], end: 'sent', endedAt, attempts: 1 };
  });
  await rawDocuments(store, 'queue').set(CHAT, { address: CHAT, waiting: [], receipts, routed: [] });
  const queues = await openQueues(store);
  await queues.change(CHAT, (queue) => enqueue(queue, [member('last')]));
  await clock.advance(60 * DAY);
  const rules = await RuleStates.open(store);
  const sweeping = (open: Queues) => createReachability({ watchlists, queues: open, rules, listed: [], clock, log: silentLog });
  return { clock, queues, sweeping };
}

test('receipts go when the events that they name are gone, and page by page', async () => {
  const store = await openStore('memory://');
  const { clock, queues, sweeping } = await openLongLife(store);
  await sweeping(queues).sweep();
  const kept = await queues.receipts(CHAT);
  // A page goes with its newest receipt.
  expect(kept.length).toBeGreaterThanOrEqual(120);
  expect(kept.length).toBeLessThan(140);
  expect(eventsOf(kept)).toEqual(kept.map((_, index) => `supply/tide/${239 - index}`));
  const { first = 0, next = 0 } = queues.read(CHAT).pages ?? {};
  expect(await pagesIn(store)).toHaveLength(next - first);
  await clock.advance(EVENTS_KEPT_FOR);
  await sweeping(queues).sweep();
  expect([await queues.receipts(CHAT), await pagesIn(store)]).toEqual([[], []]);
  await alerted(queues, [member(240)], CHAT, clock.now());
  expect(eventsOf(await queues.receipts(CHAT))).toEqual(['supply/tide/240']);
});

test.each([false, true])(
  'a death at any write of a sweep loses no newer receipt and leaves no page for good (written: %s)',
  async (written) => {
    for (let until = 1; until <= 8; until += 1) {
      const store = await openStore('memory://');
      const { sweeping } = await openLongLife(store);
      const dying = await openQueues(crashStore(store, { until, written }));
      await sweeping(dying)
        .sweep()
        .catch((cause: unknown) => {
          if (!(cause instanceof StoreCrash)) throw cause;
        });
      const after = await openQueues(store);
      await sweeping(after).sweep();
      const kept = await after.receipts(CHAT);
      expect(kept.length).toBeGreaterThanOrEqual(120);
      expect(eventsOf(kept)).toEqual(kept.map((_, index) => `supply/tide/${239 - index}`));
      await after.forget(CHAT);
      expect(await pagesIn(store)).toEqual([]);
    }
  },
);

test('a damaged page stays, and holds up neither newer alerts nor other chats', async () => {
  const store = await openStore('memory://');
  const { queues, sweeping } = await openLongLife(store);
  const other = address('console', 'other');
  await alerted(queues, [member(1)], other, NOON);
  await rawDocuments(store, 'receipt').set(`${CHAT}/3`, { nonsense: true });
  await sweeping(queues).sweep();
  expect(queues.read(CHAT).pages).toMatchObject({ first: 3 });
  expect(queues.all().map((queue) => queue.address)).toEqual([CHAT]);
  await alerted(queues, [member(240)], CHAT, later(NOON, 60 * DAY));
  expect(eventsOf(queues.read(CHAT).receipts)[0]).toBe('supply/tide/240');
});

test('messages sent are counted by the hour, for a day', () => {
  const sent = [0, 0, HOUR, 30 * HOUR].reduce((counts, after) => countSent(counts, later(NOON, after)), {});
  expect(Object.values(sent)).toEqual([1]);
  const twice = [0, 0, HOUR].reduce((counts, after) => countSent(counts, later(NOON, after)), {});
  expect(sentLately(twice, later(NOON, 2 * HOUR))).toBe(3);
  expect(sentLately(twice, later(NOON, 24 * HOUR))).toBe(1);
  expect(sentLately(undefined, NOON)).toBe(0);
});
