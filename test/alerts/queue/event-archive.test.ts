import { expect, test } from 'vitest';
import { z } from 'zod';
import { MAX_EVENTS, openArchive, type EventQuery } from '../../../src/alerts/queue/event-archive.js';
import { DAY, later, MINUTE, SECOND } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { openStore } from '../../../src/store/open.js';
import { NOON } from '../../feeds/reading.js';
import { burn } from '../harness.js';
import { crashStore } from '../crash-store.js';

const ids = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id);

test('an event stays as it was first announced', async () => {
  const archive = openArchive(await openStore('memory://'));
  await archive.keep(burn(1, NOON));
  await archive.keep(burn(1, later(NOON, DAY)));
  expect(await archive.get('supply/tide/1')).toEqual(burn(1, NOON));
  expect(await archive.get('supply/tide/2')).toBeUndefined();
});

test('an event that can no longer be read does not block the others', async () => {
  const store = await openStore('memory://');
  await store.collection({ prefix: 'event', schema: z.unknown(), version: 1 }).set('supply/tide/1', { old: 'layout' });
  const archive = openArchive(store);
  await archive.keep(burn(1, NOON));
  expect(await archive.get('supply/tide/1')).toEqual(burn(1, NOON));
});

test('a store that fails is a failure, not an event that is not there', async () => {
  await expect(openArchive(crashStore(await openStore('memory://'), { until: 1 })).keep(burn(1, NOON))).rejects.toThrow('at write 1');
});

test('the latest come first, of one kind or project where these are asked for, before and after a restart', async () => {
  const store = await openStore('memory://');
  const before = openArchive(store);
  await before.keep(burn(1, later(NOON, MINUTE)));
  await before.keep(burn(2, NOON, { project: slug('heron') }));
  expect(ids(await before.latest({ limit: 5 }))).toEqual(['supply/tide/1', 'supply/tide/2']);
  await before.keep(burn(3, later(NOON, 2 * MINUTE), { feed: 'growth' }));
  for (const archive of [before, openArchive(store)]) {
    expect(ids(await archive.latest({ limit: 2 }))).toEqual(['supply/tide/3', 'supply/tide/1']);
    expect(ids(await archive.latest({ feed: 'supply', limit: 5 }))).toEqual(['supply/tide/1', 'supply/tide/2']);
    expect(ids(await archive.latest({ feed: 'supply', project: slug('heron'), limit: 5 }))).toEqual(['supply/tide/2']);
  }
});

test('what a check read in an older response was found when it was checked', async () => {
  const archive = openArchive(await openStore('memory://'));
  const checkedAt = later(NOON, 10 * MINUTE);
  await archive.keep(burn(1, NOON, { checkedAt }));
  await archive.keep(burn(2, later(NOON, MINUTE)));
  const between = async (after: number, until: number) =>
    ids(await archive.latest({ after: later(NOON, after * MINUTE), until: later(NOON, until * MINUTE), limit: 5 }));
  expect(await between(0, 10)).toEqual(['supply/tide/1', 'supply/tide/2']);
  expect(await between(0, 9)).toEqual(['supply/tide/2']);
  expect(await between(1, 20)).toEqual(['supply/tide/1']);
  expect(await between(10, 20)).toEqual([]);
});

test('a failing store makes asking fail once, and later it is asked again', async () => {
  const store = await openStore('memory://');
  let fails = true;
  const archive = openArchive({
    ...store,
    collection: (spec) => {
      const inner = store.collection(spec);
      return {
        ...inner,
        async *scan(under) {
          if (fails) throw new Error('locked');
          yield* inner.scan(under);
        },
      };
    },
  });
  await archive.keep(burn(1, NOON));
  await expect(archive.latest({ limit: 1 })).rejects.toThrow('locked');
  fails = false;
  expect(ids(await archive.latest({ limit: 1 }))).toEqual(['supply/tide/1']);
});

test('other work gets its turn while many are read', async () => {
  const archive = openArchive(await openStore('memory://'));
  for (let amount = 1; amount <= 400; amount += 1) await archive.keep(burn(amount, NOON));
  let [turns, isRead] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!isRead) setImmediate(turn);
  };
  await archive.latest({ limit: 1 });
  setImmediate(turn);
  await archive.latest({ limit: 400 });
  isRead = true;
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('a sweep forgets what was seen more than thirty days ago, unless somebody waits for it', async () => {
  const archive = openArchive(await openStore('memory://'));
  for (const amount of [1, 2, 3]) await archive.keep(burn(amount, later(NOON, amount === 3 ? 0 : -31 * DAY)));
  await archive.sweep(NOON, (id) => id === 'supply/tide/2');
  expect(ids(await archive.latest({ limit: 9 }))).toEqual(['supply/tide/3', 'supply/tide/2']);
  expect(await archive.get('supply/tide/1')).toBeUndefined();
});

test('a sweep keeps no more than so many, the latest of them', async () => {
  const archive = openArchive(await openStore('memory://'));
  for (let amount = 1; amount <= MAX_EVENTS + 3; amount += 1) await archive.keep(burn(amount, later(NOON, amount * SECOND)));
  await archive.sweep(later(NOON, DAY), (id) => id === 'supply/tide/1');
  const all = await archive.latest({ limit: MAX_EVENTS * 2 });
  expect(all).toHaveLength(MAX_EVENTS + 1);
  expect(all.at(-1)?.id).toBe('supply/tide/1');
  expect(all.at(-2)?.id).toBe('supply/tide/4');
});

test('events are found after a moment, of a wallet, and by what is asked of them, and an unreadable one is left out', async () => {
  const store = await openStore('memory://');
  const archive = openArchive(store);
  const wallet = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
  await archive.keep(burn(1, NOON));
  await archive.keep(burn(2, later(NOON, 1), { wallet, project: undefined }));
  await archive.keep(burn(3, later(NOON, 2)));
  for (const again of [archive, openArchive(store)]) {
    const found = async (query: Partial<EventQuery>) => ids(await again.latest({ limit: 9, ...query }));
    expect(await found({ after: NOON })).toEqual(['supply/tide/3', 'supply/tide/2']);
    expect(await found({ after: later(NOON, 2) })).toEqual([]);
    expect(await found({ wallet })).toEqual(['supply/tide/2']);
    expect(await found({ project: slug('tide') })).toEqual(['supply/tide/3', 'supply/tide/1']);
    const asked: unknown[] = [];
    expect(await found({ only: (about) => asked.push(about) > 1 })).toEqual(['supply/tide/2', 'supply/tide/1']);
    expect(asked[1]).toMatchObject({ ...{ id: 'supply/tide/2', feed: 'supply', stage: 'burn', wallet }, detectedAt: later(NOON, 1) });
  }
  const other = openArchive(store);
  await other.latest({ limit: 1 });
  await store.collection({ prefix: 'event', schema: z.unknown(), version: 1 }).set('supply/tide/2', { torn: true });
  expect(ids(await other.latest({ limit: 9 }))).toEqual(['supply/tide/3', 'supply/tide/1']);
});
