import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe } from 'vitest';
import { startRedis, withoutRedis, type RedisServer } from '../support/servers.js';
import { storeContract } from './contract.js';
import { openShared, sharedContract } from './shared-contract.js';

const HOUR = 3_600_000;

describe.skipIf(withoutRedis !== undefined)(`Redis: ${withoutRedis ?? 'a real server'}`, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => server.remove());
  storeContract('Redis', async () => {
    const store = await openShared(await server.empty());
    await store.shared.acquire('the suite', HOUR);
    return store;
  });

  sharedContract('Redis', async () => {
    const url = await server.empty();
    return { process: async () => openShared(url), pass: async (ms) => sleep(ms) };
  });
});
