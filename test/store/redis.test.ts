import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { examineStore } from '../../src/operations/doctor/store.js';
import { openStore } from '../../src/store/open.js';
import { startRedis, withoutRedis, type RedisServer } from '../support/servers.js';
import { storeContract } from './contract.js';
import { serverContract } from './server-contract.js';
import { openShared, sharedContract } from './shared-contract.js';

const HOUR = 3_600_000;

describe.skipIf(withoutRedis !== undefined)(`Redis: ${withoutRedis ?? 'a real server'}`, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  beforeEach(() => server.rewind());
  afterAll(async () => server.remove());

  storeContract(
    'Redis',
    async () => {
      const store = await openShared(await server.empty());
      await store.shared.acquire('the suite', HOUR);
      return store;
    },
    { share: 0.1 },
  );

  sharedContract('Redis', async () => {
    const url = await server.empty();
    return { process: async () => openShared(url), pass: async (ms) => sleep(ms) };
  });

  serverContract('Redis', () => ({
    server,
    forget: async (url) => void (await server.command(url, 'FLUSHALL')),
    setFormat: async (url, format) => void (await server.command(url, 'HSET', 'navwatch:store', 'format', String(format))),
    makeStrange: async (url) => void (await server.command(url, 'SET', 'boats', '3')),
    withPassword: async (url) => {
      await server.command(url, 'ACL', 'SETUSER', 'guarded', 'on', '>planted-secret', '~*', '&*', '+@all');
      return url.replace('redis://', 'redis://guarded:planted-secret@');
    },
  }));

  test('a database whose keys have all expired is an empty one', async () => {
    const url = await server.empty();
    // More than Redis removes by itself until then.
    await server.command(url, 'EVAL', "for boat = 1, 50000 do redis.call('SET', boat, '', 'PX', '1') end", '0');
    const store = await openShared(url);
    expect(await store.shared.holder()).toBeUndefined();
    await store.close();
  });

  test.each([
    ['appendfsync', 'everysec', 'always'],
    ['appendonly', 'no', 'yes'],
    ['maxmemory-policy', 'allkeys-lru', 'noeviction'],
  ])('a server with %s %s is refused with the setting to change', async (name, wrong, right) => {
    const url = await server.empty();
    await server.command(url, 'CONFIG', 'SET', name, wrong);
    try {
      await expect(openStore(url)).rejects.toMatchObject({
        trouble: 'failed',
        message: expect.stringContaining(`${name} ${right}`) as string,
      });
    } finally {
      await server.command(url, 'CONFIG', 'SET', name, right);
    }
  });

  test('where CONFIG is forbidden the operator states what INFO does not show, and INFO is still believed', async () => {
    const url = await server.empty();
    await server.command(url, 'ACL', 'SETUSER', 'managed', 'on', 'nopass', '~*', '&*', '+@all', '-config');
    const managed = url.replace('redis://', 'redis://managed:planted-secret@');
    await expect(openStore(managed)).rejects.toMatchObject({
      trouble: 'failed',
      message: expect.stringContaining('?appendfsync=always') as string,
    });
    await expect(openStore(`${managed}?appendfsync=everysec`)).rejects.toMatchObject({ trouble: 'failed' });
    await (await openStore(`${managed}?appendfsync=always`)).close();
    await server.command(url, 'CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await expect(openStore(`${managed}?appendfsync=always`)).rejects.toMatchObject({
      message: expect.stringContaining('noeviction') as string,
    });
    await server.command(url, 'CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    await server.command(url, 'ACL', 'SETUSER', 'managed', '-info');
    await expect(openStore(`${managed}?appendfsync=always`)).rejects.toMatchObject({
      message: expect.stringContaining('appendonly') as string,
    });
  });

  test('a server without memory left says so, keeps what it had, and takes deletes', async () => {
    const url = await server.empty();
    const store = await openShared(url);
    await store.shared.acquire('the test', HOUR);
    const box = store.collection({ prefix: 'box', schema: z.string(), version: 1 });
    await Promise.all([box.set('a', 'kept'), box.set('b', randomBytes(400_000).toString('hex'))]);
    await server.command(url, 'CONFIG', 'SET', 'maxmemory', '1mb');
    const [set, deleted] = await Promise.allSettled([box.set('c', 'too much'), box.delete('b')]);
    await server.command(url, 'CONFIG', 'SET', 'maxmemory', '0');
    expect(set).toMatchObject({ status: 'rejected', reason: { trouble: 'full' } });
    expect(deleted.status).toBe('fulfilled');
    expect((await box.list()).found).toEqual([['a', 'kept']]);
    await store.close();
  });

  test('doctor shows the server, and who holds the lease or that nobody does', async () => {
    const url = await server.empty();
    const alone = await examineStore({ url, bot: undefined });
    expect(alone.findings.map(({ mark, about }) => [mark, about])).toEqual([
      ['ok', 'store'],
      ['ok', 'database'],
      ['none', 'running bot'],
    ]);
    await alone.store?.collection({ prefix: 'box', schema: z.string(), version: 1 }).set('k', 'with the lease');
    await alone.store?.close();
    const bot = await openShared(url);
    expect(await bot.shared.holder()).toBeUndefined();
    await bot.shared.acquire('a bot', HOUR);
    const beside = await examineStore({ url, bot: undefined });
    expect(beside.store).toBeUndefined();
    expect(beside.findings).toContainEqual({
      mark: 'ok',
      about: 'running bot',
      says: expect.stringContaining('a bot is active') as string,
    });
    await bot.close();
  });

  test('a replica is refused', async () => {
    const url = await server.empty();
    await server.command(url, 'REPLICAOF', '127.0.0.1', '1');
    try {
      await expect(openStore(url)).rejects.toMatchObject({ trouble: 'read-only' });
    } finally {
      await server.command(url, 'REPLICAOF', 'NO', 'ONE');
    }
  });
});
