import { expect, test } from 'vitest';
import { z } from 'zod';
import { openStore } from '../../src/store/open.js';
import { writeBehind } from '../../src/store/write-behind.js';
import { failing } from '../jobs/failing-store.js';

async function opened() {
  const store = failing(await openStore('memory://'));
  const stored = store.collection({ prefix: 'count', schema: z.int(), version: 1 });
  return { store, stored, documents: writeBehind(stored) };
}

test('a deferred document is read at once and durable with the flush', async () => {
  const { store, stored, documents } = await opened();
  await documents.set('a', 1);
  documents.defer('a', 2);
  documents.defer('a', 3);
  documents.defer('b', 4);
  expect([await documents.get('a'), await stored.get('a')]).toEqual([3, 1]);
  await documents.flush();
  expect([await stored.get('a'), await stored.get('b')]).toEqual([3, 4]);
  expect(store.wrote).toEqual(['count/a', 'count/a', 'count/b']);
  await documents.flush();
  expect(store.wrote).toHaveLength(3);
});

test('one key can be flushed alone', async () => {
  const { stored, documents } = await opened();
  documents.defer('a', 1);
  documents.defer('b', 2);
  await documents.flush('b');
  expect([await stored.get('a'), await stored.get('b')]).toEqual([undefined, 2]);
});

test('what is written or deleted at once replaces what was deferred', async () => {
  const { store, stored, documents } = await opened();
  documents.defer('a', 1);
  documents.defer('b', 1);
  await Promise.all([documents.set('a', 2), documents.delete('b')]);
  await documents.flush();
  expect([await stored.get('a'), await stored.get('b')]).toEqual([2, undefined]);
  expect(store.wrote).toHaveLength(2);
});

test('a write during a flush stays the last, and one deferred during it is flushed next', async () => {
  const { stored, documents } = await opened();
  documents.defer('a', 1);
  documents.defer('b', 1);
  const flushed = documents.flush();
  const written = documents.set('a', 2);
  documents.defer('b', 2);
  await Promise.all([flushed, written]);
  expect([await stored.get('a'), await documents.get('b')]).toEqual([2, 2]);
  await documents.flush();
  expect(await stored.get('b')).toBe(2);
});

test('a document whose flush fails stays deferred and does not keep the others', async () => {
  const { store, stored, documents } = await opened();
  documents.defer('a', 1);
  documents.defer('b', 2);
  store.fails(1);
  await expect(documents.flush()).rejects.toMatchObject({ trouble: 'locked' });
  expect([await stored.get('a'), await stored.get('b'), await documents.get('a')]).toEqual([undefined, 2, 1]);
  await documents.flush();
  expect(await stored.get('a')).toBe(1);
});

test.each([{ written: false }, { written: true }])(
  'after a write that failed, what was deferred before it cannot replace it (written: $written)',
  async ({ written }) => {
    const { store, stored, documents } = await opened();
    await documents.set('a', 1);
    documents.defer('a', 2);
    store.fails(1, { written });
    await expect(documents.set('a', 3)).rejects.toMatchObject({ trouble: 'locked' });
    await documents.flush();
    expect([await documents.get('a'), await stored.get('a')]).toEqual(written ? [3, 3] : [1, 1]);
  },
);
