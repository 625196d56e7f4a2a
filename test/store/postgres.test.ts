import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe } from 'vitest';
import { startPostgres, withoutPostgres, type PostgresServer } from '../support/servers.js';
import { storeContract } from './contract.js';
import { openShared, sharedContract } from './shared-contract.js';

const HOUR = 3_600_000;

describe.skipIf(withoutPostgres !== undefined)(`PostgreSQL: ${withoutPostgres ?? 'a real server'}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => server.remove());
  storeContract('PostgreSQL', async () => {
    const store = await openShared(await server.empty());
    await store.shared.acquire('the suite', HOUR);
    return store;
  });

  sharedContract('PostgreSQL', async () => {
    const url = await server.empty();
    return { process: async () => openShared(url), pass: async (ms) => sleep(ms) };
  });
});
