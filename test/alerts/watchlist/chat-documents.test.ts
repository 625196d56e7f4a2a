import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openWatchlists, Watchlists, withEntry, type Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { route } from '../../../src/alerts/evaluation/route.js';
import { enqueue } from '../../../src/alerts/queue/queue.js';
import { openQueues, startQueues } from '../../../src/alerts/queue/queues.js';
import { address, type Address } from '../../../src/chat/address.js';
import { signalOnce } from '../../../src/base/when-ready.js';
import { instant } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { runs } from '../../support/properties.js';
import { burn } from '../harness.js';

const AT = instant(1_000);
const watching = (chat: Chat, name: string): Chat =>
  withEntry(chat, { target: { kind: 'project', slug: slug(name) }, since: AT, by: 'Anna', preset: 'everything' });
const names = (chat: Chat): readonly string[] => chat.entries.map(({ target }) => (target.kind === 'project' ? target.slug : target.kind));
const chatOf = (number: number): Address => address('telegram', String(100 + number));

async function storeOf(chats: readonly Address[]): Promise<Store> {
  const store = await openStore('memory://');
  const lists = await openWatchlists(store);
  for (const chat of chats) await lists.change(chat, (before) => watching(before, 'tide'));
  return store;
}

/** A store whose scans give one document a page, each when it is let go. */
function stepwise(store: Store) {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const step = async (): Promise<void> => {
    if (!isOpen) await new Promise<void>((resolve) => void waiting.push(resolve));
  };
  const slow: Store = {
    ...store,
    collection: (spec) => {
      const documents = store.collection(spec);
      return {
        ...documents,
        async *scan(under) {
          // The page is read before the step, as a page that waits for its turn on the event loop is.
          for await (const { found, unreadable } of documents.scan(under)) {
            for (const one of found) {
              await step();
              yield { found: [one], unreadable: [] };
            }
            yield { found: [], unreadable };
          }
        },
      };
    },
  };
  const one = (): void => waiting.shift()?.();
  const all = (): void => {
    isOpen = true;
    for (const go of waiting.splice(0)) go();
  };
  return { slow, one, all };
}

const settled = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('watchlists that are read in the background', () => {
  test('a chat that is fetched is known before the others, with its topics', async () => {
    const group = address('telegram', '-100');
    const topic = address('telegram', '-100', '7');
    const { slow, all } = stepwise(await storeOf([chatOf(1), group, topic]));
    const lists = new Watchlists(slow);
    await lists.fetch(group);
    expect([names(lists.read(group)), names(lists.read(topic)), lists.has(chatOf(1))]).toEqual([['tide'], ['tide'], false]);
    expect(lists.under(group)).toEqual([group, topic]);
    all();
    await lists.loaded;
    expect(lists.all().map((chat) => chat.address)).toHaveLength(3);
    expect([...lists.here.groups()]).toHaveLength(1);
  });

  test('what is fetched and changed before the scan begins is known, and nothing else', async () => {
    const begin = signalOnce();
    const lists = new Watchlists(await storeOf([chatOf(1), chatOf(2), chatOf(3)]), { begin: begin.done });
    await lists.fetch(chatOf(1));
    await lists.change(chatOf(2), (before) => watching(before, 'heron'));
    expect([1, 2, 3].map((number) => names(lists.read(chatOf(number))))).toEqual([['tide'], ['tide', 'heron'], []]);
    begin.signal();
    await lists.loaded;
    expect([1, 2, 3].map((number) => names(lists.read(chatOf(number))))).toEqual([['tide'], ['tide', 'heron'], ['tide']]);
  });

  test('a change sees what is stored, and the page that was read before does not undo it', async () => {
    const { slow, all } = stepwise(await storeOf([chatOf(1), chatOf(2)]));
    const lists = new Watchlists(slow);
    await settled();
    await lists.change(chatOf(2), (before) => watching(before, 'heron'));
    await lists.forget(chatOf(1));
    all();
    await lists.loaded;
    expect(names(lists.read(chatOf(2)))).toEqual(['tide', 'heron']);
    expect(lists.has(chatOf(1))).toBe(false);
    expect([...lists.here.to({ feed: 'supply', project: slug('tide') })]).toEqual([chatOf(2)]);
  });

  test('whatever happens while they are read, memory holds in the end what the store holds', async () => {
    const chat = fc.integer({ min: 0, max: 5 });
    const step = fc.oneof(
      fc.record({ do: fc.constant('read a page' as const) }),
      fc.record({ do: fc.constant('change' as const), chat, name: fc.constantFrom('heron', 'moss') }),
      fc.record({ do: fc.constant('forget' as const), chat }),
      fc.record({ do: fc.constant('fetch' as const), chat }),
      fc.record({ do: fc.constant('wait' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(chat), fc.array(step, { maxLength: 20 }), async (stored, steps) => {
        const store = await storeOf(stored.map(chatOf));
        const { slow, one, all } = stepwise(store);
        const lists = new Watchlists(slow);
        const work: Promise<unknown>[] = [];
        for (const what of steps) {
          if (what.do === 'read a page') one();
          else if (what.do === 'change') work.push(lists.change(chatOf(what.chat), (before) => watching(before, what.name)));
          else if (what.do === 'forget') work.push(lists.forget(chatOf(what.chat)));
          else if (what.do === 'fetch') work.push(lists.fetch(chatOf(what.chat)));
          else await settled();
        }
        all();
        await Promise.all([lists.loaded, ...work]);
        const truth = await openWatchlists(store);
        for (let number = 0; number <= 5; number += 1) {
          const where = chatOf(number);
          expect([lists.has(where), lists.read(where)]).toEqual([truth.has(where), truth.read(where)]);
        }
        const subscribers = (of: typeof truth) =>
          ['tide', 'heron', 'moss'].map((name) => [...of.here.to({ feed: 'supply', project: slug(name) })].toSorted());
        expect(subscribers(lists)).toEqual(subscribers(truth));
        await store.close();
      }),
      { numRuns: runs(100) },
    );
  });

  test('a document that cannot be read ends the load and is not overwritten by a change', async () => {
    const { slow, all } = stepwise(await storeOf([chatOf(1)]));
    const anything = slow.collection<unknown>({ prefix: 'chat', schema: z.unknown(), version: 1 });
    await anything.set(chatOf(2), { nothing: 'of ours' });
    const lists = new Watchlists(slow);
    await expect(lists.change(chatOf(2), (before) => watching(before, 'heron'))).rejects.toThrow(/cannot be read/);
    await expect(lists.change(chatOf(2), (before) => watching(before, 'heron'))).rejects.toThrow(/cannot be read/);
    all();
    await expect(lists.loaded).rejects.toThrow(/watchlist telegram\/102 cannot be read/);
    expect(await anything.get(chatOf(2))).toEqual({ nothing: 'of ours' });
  });
});

test('a stop ends the reading', async () => {
  const { slow, one } = stepwise(await storeOf([chatOf(1), chatOf(2), chatOf(3)]));
  const stopping = new AbortController();
  const lists = new Watchlists(slow, { signal: stopping.signal });
  await settled();
  stopping.abort(new Error('stopping'));
  one();
  await expect(lists.loaded).rejects.toThrow('stopping');
  expect(lists.has(chatOf(3))).toBe(false);
});

test('of the queues that are read, those in which something waits are announced', async () => {
  const store = await openStore('memory://');
  const before = await openQueues(store);
  const waiting = [{ event: 'supply/tide/1', entry: 'tide', queuedAt: AT }];
  await before.change(chatOf(1), (queue) => ({ ...queue, waiting }));
  await before.change(chatOf(2), (queue) => ({ ...queue, routed: ['supply/tide/1'] }));
  const queues = startQueues(store);
  const announced: Address[] = [];
  queues.onChange((chat) => announced.push(chat));
  await queues.loaded;
  expect([announced, [...queues.busy()]]).toEqual([[chatOf(1)], [chatOf(1)]]);
});

test('an event that is routed before the queues are read joins what waits in them', async () => {
  const store = await storeOf([chatOf(1)]);
  const before = await openQueues(store);
  await before.change(chatOf(1), (queue) => enqueue(queue, [{ event: 'supply/tide/1', entry: 'tide', queuedAt: AT }]));
  const begin = signalOnce();
  const queues = startQueues(store, { begin: begin.done });
  const watchlists = await openWatchlists(store);
  await route([burn(1, AT), burn(2, AT)], { watchlists, queues, now: AT });
  expect(queues.read(chatOf(1)).waiting.map(({ event }) => event)).toEqual(['supply/tide/1', 'supply/tide/2']);
  begin.signal();
  await queues.loaded;
  expect(queues.read(chatOf(1)).waiting.map(({ event }) => event)).toEqual(['supply/tide/1', 'supply/tide/2']);
});

test('a queue is fetched and changed while the others are read', async () => {
  const store = await openStore('memory://');
  const before = await openQueues(store);
  for (const number of [1, 2]) await before.change(chatOf(number), (queue) => ({ ...queue, routed: ['supply/tide/1'] }));
  const { slow, all } = stepwise(store);
  const queues = startQueues(slow);
  await queues.fetch(chatOf(1));
  expect(queues.all().map((queue) => queue.address)).toEqual([chatOf(1)]);
  await queues.change(chatOf(2), (queue) => ({ ...queue, routed: ['supply/tide/2', ...queue.routed] }));
  all();
  await queues.loaded;
  expect(queues.read(chatOf(1)).routed).toEqual(['supply/tide/1']);
  expect(queues.read(chatOf(2)).routed).toEqual(['supply/tide/2', 'supply/tide/1']);
});
