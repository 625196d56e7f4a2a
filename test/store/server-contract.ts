/** What every engine on a database server must keep to when the server fails, is emptied or is another one than it seems. */
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FORMAT } from '../../src/store/backend.js';
import { openStore, type StoreOptions } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import type { DatabaseServer } from '../support/servers.js';
import { cuttingProxy } from './cutting-proxy.js';
import { openShared, type SharedStore } from './shared-contract.js';

/** What a test does to a database behind the back of Navwatch. */
export interface RawDatabase {
  readonly server: DatabaseServer;
  forget(url: string): Promise<void>;
  /** As another version of Navwatch marks it. */
  setFormat(url: string, format: number): Promise<void>;
  /** In an empty database. */
  makeStrange(url: string): Promise<void>;
  /** The address with a user who has the password `planted-secret`. */
  withPassword(url: string): Promise<string>;
}

const HOUR = 3_600_000;
/** Milliseconds that a call waits for a server that does not answer, instead of seconds. */
const SHORT = { serverWaitMs: 500 };
/** After which it must have failed: the wait, an attempt to connect, the answer, and the machine. */
const MAX_FAILURE_MS = 6_000;

const texts = { prefix: 'box', schema: z.string(), version: 1 };

/** Runs the suite on the server that `raw` gives. */
export function serverContract(name: string, raw: () => RawDatabase): void {
  describe(`any engine on a server: ${name}`, () => {
    const opened: Store[] = [];
    const open = async (url: string, options?: StoreOptions): Promise<SharedStore> => {
      const store = await openShared(url, options);
      opened.push(store);
      await store.shared.acquire(name, HOUR);
      return store;
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(async (store) => store.close()));
    });

    test('writes that run into a killed server come through when it is back, and none that was acknowledged is lost', async () => {
      const { server } = raw();
      const box = (await open(await server.empty())).collection(texts);
      const ending = new AbortController();
      let acknowledged = 0;
      const writing = (async () => {
        for (; !ending.signal.aborted; acknowledged += 1) await box.set(String(acknowledged), 'kept');
      })();
      await box.set('before', 'kept');
      await server.kill();
      await server.start();
      await box.set('after', 'kept');
      ending.abort();
      await writing;
      const stands = new Set((await box.list()).found.map(([key]) => key));
      expect(Array.from({ length: acknowledged }, (_, n) => String(n)).filter((key) => !stands.has(key))).toEqual([]);
      expect([stands.has('before'), stands.has('after')]).toEqual([true, true]);
    });

    test('while the server is away every call fails soon and says so, and afterwards the store works again', async () => {
      const { server } = raw();
      const store = await open(await server.empty(), SHORT);
      const box = store.collection(texts);
      await box.set('k', 'before');
      await server.stop();
      const began = performance.now();
      const calls = [
        box.set('k', 'lost'),
        box.get('k'),
        box.list(),
        store.check(),
        store.shared.acquire(name, HOUR),
        store.shared.holder(),
      ];
      for (const result of await Promise.allSettled(calls)) {
        expect(result).toMatchObject({ status: 'rejected', reason: { name: 'StoreError', trouble: 'unreachable' } });
      }
      expect(performance.now() - began).toBeLessThan(MAX_FAILURE_MS);
      await expect(openStore(server.url, SHORT)).rejects.toMatchObject({ trouble: 'unreachable' });
      await server.start();
      await expect.poll(async () => box.get('k').catch(() => 'away')).toBe('before');
      await box.set('k', 'after');
      expect(await box.get('k')).toBe('after');
    });

    test('a paused server writes nothing of what failed meanwhile when it goes on', async () => {
      const { server } = raw();
      const box = (await open(await server.empty(), SHORT)).collection(texts);
      await Promise.all([box.set('a', 'before'), box.set('b', 'before')]);
      server.pause();
      const began = performance.now();
      const results = await Promise.allSettled([box.set('a', 'failed'), box.setIfAbsent('c', 'failed')]);
      server.resume();
      expect(results).toMatchObject(results.map(() => ({ status: 'rejected', reason: { trouble: 'unreachable' } })));
      expect(performance.now() - began).toBeLessThan(MAX_FAILURE_MS);
      await expect
        .poll(async () =>
          box
            .set('b', 'after')
            .then(() => 'stored')
            .catch(() => 'away'),
        )
        .toBe('stored');
      expect((await box.list()).found).toEqual([
        ['a', 'before'],
        ['b', 'after'],
      ]);
    });

    test('a process that was busy or paused longer than a call waits does not take the server for away', async () => {
      const { server } = raw();
      const box = (await open(await server.empty(), { serverWaitMs: 500 })).collection(texts);
      const writing = Promise.all([box.set('a', 'kept'), box.set('b', 'kept'), box.setIfAbsent('c', 'kept'), box.get('z')]);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300);
      await writing;
      expect((await box.list()).found.map(([key]) => key)).toEqual(['a', 'b', 'c']);
    });

    test('a write whose answer was lost is repeated, and one that is made only where nothing is knows its own', async () => {
      const { server } = raw();
      const url = new URL(await server.empty());
      const proxy = await cuttingProxy(server.port);
      url.port = String(proxy.port);
      const box = (await open(String(url))).collection(texts);
      proxy.cutNextAnswer();
      await box.set('a', 'once');
      proxy.cutNextAnswer();
      expect(await box.setIfAbsent('b', 'once')).toBe(true);
      expect(proxy.cuts()).toBe(2);
      expect((await box.list()).found).toEqual([
        ['a', 'once'],
        ['b', 'once'],
      ]);
      await proxy.close();
    });

    test('nothing is written to a database that was emptied meanwhile, also when another process has begun a new one', async () => {
      const { server, forget } = raw();
      const url = await server.empty();
      const store = await open(url);
      await store.collection(texts).set('k', 'lost');
      await forget(url);
      const moved = { name: 'StoreError', trouble: 'moved' };
      await expect(store.collection(texts).set('k', 'late')).rejects.toMatchObject(moved);
      await expect(store.check()).rejects.toMatchObject(moved);
      await expect(store.shared.acquire(name, HOUR)).rejects.toMatchObject(moved);
      const other = await open(url);
      await expect(store.collection(texts).set('k', 'late')).rejects.toMatchObject(moved);
      await expect(store.collection({ ...texts, writers: 'any' }).setIfAbsent('k', 'late')).rejects.toMatchObject(moved);
      expect((await other.collection(texts).list()).found).toEqual([]);
    });

    test('a database of a newer Navwatch and one of another program are refused and left as they are', async () => {
      const { server, setFormat, makeStrange } = raw();
      const url = await server.empty();
      const standby = await openShared(url);
      opened.push(standby);
      await setFormat(url, FORMAT + 1);
      await expect(openStore(url)).rejects.toMatchObject({ trouble: 'newer' });
      // It was started before the newer one.
      await expect(standby.shared.acquire('standby', HOUR)).rejects.toMatchObject({ trouble: 'newer' });
      const strange = await server.empty();
      await makeStrange(strange);
      await expect(openStore(strange)).rejects.toMatchObject({ trouble: 'unreadable' });
    });

    test('a wrong password is refused at once, and no part of a failure contains a password', async () => {
      const { server, withPassword } = raw();
      const url = await withPassword(await server.empty());
      await (await openStore(url)).close();
      const began = performance.now();
      const errors: unknown[] = [await openStore(url.replace('planted-secret', 'planted-wrong')).catch((error: unknown) => error)];
      expect(performance.now() - began).toBeLessThan(MAX_FAILURE_MS);
      expect(errors[0]).toMatchObject({ name: 'StoreError', trouble: 'denied' });
      const elsewhere = new URL(url);
      elsewhere.port = '1';
      errors.push(await openStore(String(elsewhere), SHORT).catch((error: unknown) => error));
      for (const error of errors) expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/planted-(?:secret|wrong)/u);
    });

    test('documents of five megabytes and keys in any script come back, from another process too', async () => {
      const { server } = raw();
      const url = await server.empty();
      const box = (await open(url)).collection(texts);
      const large = randomBytes(3_750_000).toString('base64');
      await Promise.all([
        box.set('large', large),
        ...['каир', '北京', '\u{1F30A}', 'o\'"\\ %_{}', 'é'].map(async (key) => box.set(key, key)),
      ]);
      const other = (await openShared(url)).collection(texts);
      expect(await other.get('large')).toBe(large);
      expect((await other.list()).found.map(([key]) => key)).toEqual(
        ['o\'"\\ %_{}', 'large', 'é', 'каир', '北京', '\u{1F30A}'].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      );
    });

    test('its replies show the time of its own clock', async () => {
      const { server } = raw();
      const shown: number[] = [];
      const store = await open(await server.empty(), { onTime: (at) => shown.push(at) });
      const known = shown.length;
      await store.collection(texts).set('a', 'b');
      const [first = 0, ...others] = shown;
      // The server of the test has the clock of this machine.
      expect([known > 0, others.length > 0, Math.abs(first - Date.now()) < HOUR]).toEqual([true, true, true]);
    });

    test('what the server is and when it keeps what is stored can be shown', async () => {
      const { server } = raw();
      const store = await open(await server.empty());
      expect(await store.inspect?.()).toEqual({ version: expect.stringMatching(/\d/u), durability: expect.stringMatching(/on|always/u) });
    });
  });
}
