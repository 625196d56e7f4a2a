/** Delivery over a store that may die at any write: each event is shown once, in order. */
import { expect, test } from 'vitest';
import { openArchive } from '../../src/alerts/archive.js';
import { deliver, GATHER } from '../../src/alerts/deliver.js';
import { enqueue, MOST_MEMBERS } from '../../src/alerts/queue.js';
import { openQueues } from '../../src/alerts/queues.js';
import { openWatchlists, withEntry } from '../../src/alerts/watchlists.js';
import { silentLog } from '../../src/base/log.js';
import { address } from '../../src/chat/address.js';
import type { Courier, Outcome } from '../../src/chat/courier.js';
import { plainText } from '../../src/chat/text.js';
import type { NewsEvent } from '../../src/domain/event.js';
import { decimal, slug, type Instant } from '../../src/domain/scalars.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { handClock } from '../support/clock.js';

const CHAT = address('console', 'main');
const going = new AbortController().signal;

const mint = (n: number, at: Instant): NewsEvent => ({
  id: `supply/tide/${n}`,
  feed: 'supply',
  project: slug('tide'),
  topic: `supply/tide/${n}`,
  stage: 'mint',
  occurredAt: at,
  seenAt: at,
  facts: { name: 'Tidewater', symbol: 'TIDE', type: 'Mint', amount: decimal(1_000 + n) },
});

/** A courier that knows parcels by their id, as the console does, and answers first what a test prepared. */
function knowing(clock: ReturnType<typeof handClock>, outcomes: Outcome[] = []) {
  const shown = new Map<string, string>();
  const courier: Courier = {
    platform: 'console',
    async deliver(_to, { id, reply }) {
      const outcome = outcomes.shift();
      if (outcome?.kind !== 'later') shown.set(id, plainText(reply, clock.now()));
      return outcome ?? { kind: 'sent', messageId: id };
    },
    probe: async () => ({ missing: [] }),
    diagnose: async () => ({ ok: true, says: 'ok' }),
  };
  const counts = (events: number): readonly number[] =>
    Array.from(
      { length: events },
      (_, n) => [...shown.values()].join('\n').split(`minted ${(1_000 + n).toLocaleString('en')} TIDE`).length - 1,
    );
  return { courier, shown, counts };
}

async function open(store: Store, clock: ReturnType<typeof handClock>, courier: Courier) {
  const [queues, watchlists, archive] = [await openQueues(store), await openWatchlists(store), openArchive(store)];
  return { queues, watchlists, archive, couriers: [courier], clock, random: () => 0.5, log: silentLog };
}

async function withEvents(store: Store, clock: ReturnType<typeof handClock>, courier: Courier, events: number) {
  const context = await open(store, clock, courier);
  const entry = { target: { kind: 'project', slug: slug('tide') }, since: clock.now(), by: 'you', off: [] } as const;
  await context.watchlists.change(CHAT, (chat) => withEntry(chat, entry));
  const news = Array.from({ length: events }, (_, n) => mint(n, clock.now()));
  for (const event of news) await context.archive.keep(event);
  const members = news.map(({ id }) => ({ event: id, entry: 'tide', queuedAt: clock.now() }));
  await context.queues.change(CHAT, (queue) => enqueue(queue, members));
  return context;
}

/** The store of a process that dies at its `nth` write: that write and all after it do not happen. */
function dying(store: Store, nth: number): Store {
  let writes = 0;
  return {
    ...store,
    collection(spec) {
      const documents = store.collection(spec);
      return {
        ...documents,
        async set(key, document) {
          writes += 1;
          if (writes >= nth) throw new Error('killed');
          await documents.set(key, document);
        },
      };
    },
  };
}

test('what happens within a few seconds comes as one message, and more than ten events as several', async () => {
  const clock = handClock();
  const { courier, shown, counts } = knowing(clock);
  const context = await withEvents(await openStore('memory://'), clock, courier, MOST_MEMBERS + 3);
  await deliver(CHAT, context, going);
  expect(shown.size).toBe(0);
  await clock.advance(GATHER);
  await deliver(CHAT, context, going);
  expect(shown.size).toBe(2);
  expect(counts(13)).toEqual(Array.from({ length: 13 }, () => 1));
});

test('a crash at any write neither loses nor doubles an event', async () => {
  for (let nth = 1; nth <= 7; nth += 1) {
    const clock = handClock();
    const { courier, counts } = knowing(clock);
    const store = await openStore('memory://');
    await withEvents(store, clock, courier, 13);
    await clock.advance(GATHER);
    // Six writes deliver two messages; a process that lives through all of them must still be right after a restart.
    const end = await deliver(CHAT, await open(dying(store, nth), clock, courier), going).then(
      () => 'lived',
      () => 'killed',
    );
    expect(end, `write ${nth}`).toBe(nth <= 6 ? 'killed' : 'lived');
    await deliver(CHAT, await open(store, clock, courier), going);
    expect(counts(13), `write ${nth}`).toEqual(Array.from({ length: 13 }, () => 1));
  }
});

test('a repeat after an unclear attempt carries the same message, whatever came in meanwhile', async () => {
  const clock = handClock();
  const { courier, shown, counts } = knowing(clock, [{ kind: 'unclear', because: 'line-cut' }]);
  const context = await withEvents(await openStore('memory://'), clock, courier, 1);
  await clock.advance(GATHER);
  await deliver(CHAT, context, going);
  await context.archive.keep(mint(1, clock.now()));
  await context.queues.change(CHAT, (queue) => enqueue(queue, [{ event: 'supply/tide/1', entry: 'tide', queuedAt: clock.now() }]));
  await clock.advance(60_000);
  await deliver(CHAT, context, going);
  expect(shown.size).toBe(2);
  expect(counts(2)).toEqual([1, 1]);
});

test('routing the same news again queues nothing twice, even after it was told', async () => {
  const clock = handClock();
  const { courier, counts } = knowing(clock);
  const context = await withEvents(await openStore('memory://'), clock, courier, 2);
  await clock.advance(GATHER);
  await deliver(CHAT, context, going);
  const again = [0, 1].map((n) => ({ event: `supply/tide/${n}`, entry: 'tide', queuedAt: clock.now() }));
  const queue = await context.queues.change(CHAT, (before) => enqueue(before, again));
  expect(queue.waiting).toEqual([]);
  await clock.advance(GATHER);
  await deliver(CHAT, context, going);
  expect(counts(2)).toEqual([1, 1]);
});
