/** What every shared engine must keep to, seen by several processes. */
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openStore, type StoreOptions } from '../../src/store/open.js';
import type { SharedEngine, Store } from '../../src/store/store.js';

export type SharedStore = Store & { readonly shared: SharedEngine };

/** Opens the store of an address whose engine is shared. */
export async function openShared(url: string, options?: StoreOptions): Promise<SharedStore> {
  const store = await openStore(url, options);
  if (store.shared !== undefined) return { ...store, shared: store.shared };
  throw new Error(`${url} is not shared`);
}

export interface SharedDatabase {
  /** A store as one more process has it open. */
  readonly process: () => Promise<SharedStore>;
  /** Lets so many milliseconds pass by the engine's clock. */
  readonly pass: (ms: number) => Promise<void>;
}

const TTL = 60_000;
const active = { prefix: 'box', schema: z.string(), version: 1 };
const any = { prefix: 'note', schema: z.string(), version: 1, writers: 'any' } as const;
const superseded = { name: 'StoreError', trouble: 'superseded' };

/** Runs the suite; `open` gives an empty database each time. */
export function sharedContract(name: string, open: () => Promise<SharedDatabase>): void {
  describe(`any shared engine: ${name}`, () => {
    const opened: Store[] = [];
    const processes = async () => {
      const database = await open();
      const begin = async (): Promise<SharedStore> => {
        const store = await database.process();
        opened.push(store);
        return store;
      };
      return { pass: database.pass, first: await begin(), second: await begin(), begin };
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(async (store) => store.close()));
    });

    test('one process holds the lease, extends it, and the next one gets it with a higher epoch once it is free', async () => {
      const { first, second } = await processes();
      expect(await first.shared.holder()).toBeUndefined();
      const lease = await first.shared.acquire('first', TTL);
      expect(lease).toEqual({ epoch: expect.any(Number) });
      expect(await second.shared.acquire('second', TTL)).toBeUndefined();
      expect(await first.shared.acquire('first', 2 * TTL)).toEqual(lease);
      const held = await second.shared.holder();
      expect(held).toMatchObject({ holder: 'first', epoch: lease?.epoch });
      expect(held?.remainingMs).toBeGreaterThan(TTL);
      expect(held?.remainingMs).toBeLessThanOrEqual(2 * TTL);
      await first.shared.release();
      expect(await second.shared.holder()).toBeUndefined();
      const next = await second.shared.acquire('second', TTL);
      expect(next?.epoch).toBeGreaterThan(lease?.epoch ?? Number.POSITIVE_INFINITY);
    });

    test('of many processes that ask at once one gets the lease, and another of the same name does not share it', async () => {
      const { first, second, begin } = await processes();
      const stores = [first, second, await begin(), await begin()];
      const leases = await Promise.all(stores.map(async ({ shared }) => shared.acquire('the same name', TTL)));
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    test('an expired lease is extended by its own process while nobody else has taken it', async () => {
      const { first, second, pass } = await processes();
      const lease = await first.shared.acquire('first', 40);
      await pass(60);
      expect(await second.shared.holder()).toBeUndefined();
      expect(await first.shared.acquire('first', TTL)).toEqual(lease);
      await first.collection(active).set('a', 'still its writer');
    });

    test('a process that lost its lease writes nothing any more, and does not get the lease again', async () => {
      const { first, second, pass } = await processes();
      const box = first.collection(active);
      await first.shared.acquire('first', 40);
      await Promise.all([box.set('a', 'of the first'), box.set('b', 'of the first')]);
      await pass(60);
      await second.shared.acquire('second', TTL);
      await second.collection(active).set('a', 'of the second');
      const late = await Promise.allSettled([
        box.set('a', 'too late'),
        box.set('c', 'too late'),
        box.setIfAbsent('d', 'too late'),
        box.delete('b'),
      ]);
      expect(late.map((one) => (one.status === 'rejected' ? one.reason : one))).toMatchObject(late.map(() => superseded));
      expect((await box.list()).found).toEqual([
        ['a', 'of the second'],
        ['b', 'of the first'],
      ]);
      await second.shared.release();
      await expect(first.shared.acquire('first', TTL)).rejects.toMatchObject(superseded);
      await first.shared.release();
    });

    test('a process that never held the lease, or released it, reads and writes only what any process may', async () => {
      const { first, second } = await processes();
      await expect(second.collection(active).set('a', 'x')).rejects.toMatchObject(superseded);
      await second.collection(any).set('a', 'x');
      expect(await second.collection(any).setIfAbsent('a', 'y')).toBe(false);
      await second.check();
      await first.shared.acquire('first', TTL);
      await first.collection(active).set('a', 'kept');
      expect(await second.collection(active).get('a')).toBe('kept');
      await Promise.all([second.collection(any).set('b', 'x'), first.collection(any).set('c', 'x')]);
      await first.shared.release();
      await expect(first.collection(active).set('a', 'x')).rejects.toMatchObject(superseded);
      await first.collection(any).delete('a');
      expect((await first.collection(any).list()).found).toHaveLength(2);
      await expect(first.shared.acquire('first', TTL)).rejects.toMatchObject(superseded);
    });

    test('of writes in one batch those without the lease fail and those of any process stand', async () => {
      const { first } = await processes();
      const settled = await Promise.allSettled(
        Array.from({ length: 30 }, async (_, n) => first.collection(n % 2 === 0 ? active : any).set(`k${n}`, 'x')),
      );
      expect(settled.map(({ status }) => status)).toEqual(settled.map((_, n) => (n % 2 === 0 ? 'rejected' : 'fulfilled')));
      expect((await first.collection(active).list()).found).toEqual([]);
      expect((await first.collection(any).list()).found).toHaveLength(15);
    });

    test('a counter grants its burst at once and then one an interval, to all processes together', async () => {
      const { first, second, pass } = await processes();
      const rate = { intervalMs: 200, burst: 3 };
      const take = async (store: SharedStore) => store.shared.take('telegram', rate);
      expect(await Promise.all([take(first), take(second), take(first)])).toEqual([0, 0, 0]);
      const wait = await take(second);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(200);
      // A refusal takes nothing: the wait does not grow.
      expect(await take(first)).toBeLessThanOrEqual(wait);
      expect(await second.shared.take('discord', rate)).toBe(0);
      await pass(wait + 5);
      expect(await take(first)).toBe(0);
      expect(await take(second)).toBeGreaterThan(0);
    });

    test('a sum stops at its limit, whoever adds, and is forgotten after its time', async () => {
      const { first, second, pass } = await processes();
      const options = { limit: 5, ttlMs: 300 };
      const sums = await Promise.all(
        Array.from({ length: 8 }, async (_, n) => (n % 2 === 0 ? first : second).shared.add('calls', 1, options)),
      );
      expect(sums.filter((sum) => sum !== undefined).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
      expect(await first.shared.add('calls', -2, options)).toBe(3);
      expect(await first.shared.add('other', 6, options)).toBeUndefined();
      await pass(320);
      expect(await second.shared.add('calls', 5, options)).toBe(5);
    });

    test('a closed store has no lease to give', async () => {
      const { first } = await processes();
      await first.close();
      await expect(first.shared.acquire('first', TTL)).rejects.toThrow('is closed');
      await expect(first.shared.take('x', { intervalMs: 1, burst: 1 })).rejects.toThrow('is closed');
    });
  });
}
