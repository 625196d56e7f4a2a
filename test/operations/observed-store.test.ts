import { expect, test } from 'vitest';
import { z } from 'zod';
import { observedStore, type StoreCall } from '../../src/operations/observed-store.js';
import { openStore } from '../../src/store/open.js';
import { StoreError } from '../../src/store/store.js';

const spec = { prefix: 'thing', schema: z.object({ n: z.int() }), version: 1 };

test('every operation of a collection is reported once and does what it did', async () => {
  const calls: StoreCall[] = [];
  const store = observedStore(await openStore('memory://'), (call) => calls.push(call));
  const things = store.collection(spec);
  await things.set('a', { n: 1 });
  expect(await things.setIfAbsent('a', { n: 2 })).toBe(false);
  expect(await things.get('a')).toEqual({ n: 1 });
  expect((await things.list()).found).toEqual([['a', { n: 1 }]]);
  await things.delete('a');
  await store.check();
  expect(calls.map(({ operation }) => operation)).toEqual(['set', 'set-if-absent', 'get', 'list', 'delete', 'check']);
  expect(calls.filter((call) => 'failure' in call)).toEqual([]);
  expect(calls.every(({ ms }) => ms >= 0)).toBe(true);
});

test('a failure is reported, and thrown as it was', async () => {
  const calls: StoreCall[] = [];
  const base = await openStore('memory://');
  const full = new StoreError('full', 'store: full');
  const store = observedStore({ ...base, check: async () => Promise.reject(full) }, (call) => calls.push(call));
  await expect(store.check()).rejects.toBe(full);
  expect(calls).toMatchObject([{ operation: 'check', failure: full }]);
});
