import { expect, test } from 'vitest';
import { z } from 'zod';
import { openCachedDocument, openOnce } from '../../src/platforms/cached-document.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';

const schema = z.object({ count: z.int() });

async function open(store: Store, reported: unknown[] = []) {
  return openCachedDocument({ store, key: 'x', schema, empty: { count: 0 }, onUnreadable: (error) => void reported.push(error) });
}

test('changes that overlap are all kept, also after a restart', async () => {
  const store = await openStore('memory://');
  const document = await open(store);
  expect(document.read()).toEqual({ count: 0 });
  await Promise.all([1, 2, 3].map(async (more) => document.change(({ count }) => ({ count: count + more }))));
  expect(document.read()).toEqual({ count: 6 });
  expect((await open(store)).read()).toEqual({ count: 6 });
});

/** Counts writes, and fails those whose numbers are given. */
function counting(store: Store, fails: readonly number[] = []): { readonly store: Store; readonly writes: () => number } {
  let writes = 0;
  return {
    writes: () => writes,
    store: {
      ...store,
      collection: (spec) => {
        const documents = store.collection(spec);
        return {
          ...documents,
          async set(key, value) {
            writes += 1;
            if (fails.includes(writes)) throw new Error('disk full');
            await documents.set(key, value);
          },
        };
      },
    },
  };
}

const adding =
  (more: number) =>
  ({ count }: { readonly count: number }) => ({ count: count + more });

test('changes that wait for a write share the next one, and each resolves with its own value', async () => {
  const { store, writes } = counting(await openStore('memory://'));
  const document = await open(store);
  const values = await Promise.all([1, 2, 3, 4].map(async (more) => document.change(adding(more))));
  expect({ values, writes: writes() }).toEqual({ values: [1, 3, 6, 10].map((count) => ({ count })), writes: 2 });
});

test('a change that throws fails alone', async () => {
  const document = await open(await openStore('memory://'));
  const results = await Promise.allSettled([
    document.change(adding(1)),
    document.change(() => {
      throw new Error('not now');
    }),
    document.change(adding(2)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(document.read()).toEqual({ count: 3 });
});

test('a write that fails takes back the changes in it and no others', async () => {
  const { store } = counting(await openStore('memory://'), [2]);
  const document = await open(store);
  const results = await Promise.allSettled([1, 2, 4].map(async (more) => document.change(adding(more))));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await document.change(adding(8))).toEqual({ count: 9 });
  expect((await open(store)).read()).toEqual({ count: 9 });
});

test('a change that changes nothing writes nothing', async () => {
  const { store, writes } = counting(await openStore('memory://'));
  const document = await open(store);
  expect(await document.change((now) => now)).toEqual({ count: 0 });
  expect(writes()).toBe(0);
});

test('an unreadable document is reported and replaced', async () => {
  const store = await openStore('memory://');
  await store.collection({ prefix: 'platform', schema: z.unknown(), version: 1 }).set('x', 'broken');
  const reported: unknown[] = [];
  expect((await open(store, reported)).read()).toEqual({ count: 0 });
  expect(reported).toHaveLength(1);
});

test('what failed to open is opened again at the next use, and only once after it succeeded', async () => {
  let tries = 0;
  const opened = openOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error('locked');
    return tries;
  });
  await expect(opened()).rejects.toThrow('locked');
  expect([await opened(), await opened()]).toEqual([2, 2]);
});
