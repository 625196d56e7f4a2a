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
