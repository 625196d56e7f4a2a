import { expect, test } from 'vitest';
import { z } from 'zod';
import { measuredStore, type StoreCall } from '../../../src/operations/metrics/measured-store.js';
import { openStore } from '../../../src/store/open.js';
import { StoreError } from '../../../src/store/store.js';

const spec = { prefix: 'thing', schema: z.object({ n: z.int() }), version: 1 };

test('every operation of a collection is measured once and does what it did', async () => {
  const calls: StoreCall[] = [];
  const store = measuredStore(await openStore('memory://'), (call) => calls.push(call));
  const things = store.collection(spec);
  await things.set('a', { n: 1 });
  expect(await things.get('a')).toEqual({ n: 1 });
  expect((await things.list()).found).toEqual([['a', { n: 1 }]]);
  await things.delete('a');
  await store.check();
  expect(calls.map(({ operation, trouble }) => [operation, trouble])).toEqual([
    ['set', undefined],
    ['get', undefined],
    ['list', undefined],
    ['delete', undefined],
    ['check', undefined],
  ]);
  expect(calls.every(({ ms }) => ms >= 0)).toBe(true);
});

test('a failure is counted with its trouble, and thrown as it was', async () => {
  const calls: StoreCall[] = [];
  const base = await openStore('memory://');
  const full = new StoreError('full', 'store: full');
  const store = measuredStore({ ...base, check: async () => Promise.reject(full) }, (call) => calls.push(call));
  await expect(store.check()).rejects.toBe(full);
  expect(calls).toMatchObject([{ operation: 'check', trouble: 'full' }]);
});
