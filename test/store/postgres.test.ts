import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { startPostgres, withoutPostgres, type PostgresServer } from '../support/servers.js';
import { storeContract } from './contract.js';
import { serverContract } from './server-contract.js';
import { openShared, sharedContract } from './shared-contract.js';

const HOUR = 3_600_000;
const SHORT = { serverWaitMs: 300 };

/** In a database of its own, because it waits three seconds for a lock. */
async function takenOver(server: PostgresServer) {
  const url = await server.database('takeover');
  const [first, second] = [await openShared(url), await openShared(url)];
  await first.shared.acquire('first', 1);
  const stuck = server.query(url, 'SELECT FROM navwatch.store FOR SHARE; SELECT pg_sleep(60)').catch((error: unknown) => String(error));
  await expect.poll(async () => (await server.query(url, "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).length).toBe(1);
  const lease = await second.shared.acquire('second', HOUR);
  const said = await stuck;
  await Promise.all([first.close(), second.close()]);
  return { lease, stuck: said };
}

describe.skipIf(withoutPostgres !== undefined)(`PostgreSQL: ${withoutPostgres ?? 'a real server'}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => server.remove());

  describe('while a process takes over', () => {
    let takeover: ReturnType<typeof takenOver>;
    beforeAll(() => {
      takeover = takenOver(server);
      return async () => void (await takeover.catch(() => {})); // Its test says so.
    });

    storeContract(
      'PostgreSQL',
      async () => {
        const store = await openShared(await server.empty());
        await store.shared.acquire('the suite', HOUR);
        return store;
      },
      { share: 0.1 },
    );

    sharedContract('PostgreSQL', async () => {
      const url = await server.empty();
      return { process: async () => openShared(url), pass: async (ms) => sleep(ms) };
    });

    test('a takeover ends a session that holds the lease in a transaction it never ends', async () => {
      expect(await takeover).toEqual({ lease: { epoch: 2 }, stuck: expect.stringMatching(/terminat/u) as string });
    });
  });

  serverContract('PostgreSQL', () => ({
    server,
    forget: async (url) => void (await server.query(url, 'DROP SCHEMA navwatch CASCADE')),
    setFormat: async (url, format) => void (await server.query(url, `UPDATE navwatch.store SET format = ${format}`)),
    makeStrange: async (url) =>
      void (await server.query(url, 'DROP SCHEMA IF EXISTS navwatch CASCADE; CREATE SCHEMA navwatch CREATE TABLE boats (name text)')),
    withPassword: async (url) => {
      await server.query(url, 'DROP ROLE IF EXISTS guarded');
      await server.query(url, "CREATE ROLE guarded SUPERUSER LOGIN PASSWORD 'planted-secret'");
      return url.replace('navwatch@', 'guarded:planted-secret@');
    },
  }));

  test.each([
    ['synchronous_commit=off', 'failed', /synchronous_commit = on/u],
    ['default_transaction_read_only=on', 'read-only', /read-only/u],
  ])('a server with %s is refused', async (setting, trouble, sentence) => {
    const url = `${await server.empty()}?options=${encodeURIComponent(`-c ${setting}`)}`;
    await expect(openStore(url)).rejects.toMatchObject({ trouble, message: expect.stringMatching(sentence) as string });
  });

  test('a user without rights and a server without a connection left are told apart', async () => {
    const url = await server.empty();
    await server.query(url, 'DROP ROLE IF EXISTS visitor; CREATE ROLE visitor LOGIN CONNECTION LIMIT 1');
    const visiting = url.replace('navwatch@', 'visitor@');
    await expect(openStore(visiting)).rejects.toMatchObject({ trouble: 'denied' });
    await server.query(url, 'ALTER ROLE visitor CONNECTION LIMIT 0');
    await expect(openStore(visiting, SHORT)).rejects.toMatchObject({
      trouble: 'unreachable',
      message: expect.stringContaining('max_connections') as string,
    });
    await expect(openStore(url.replace(/[^/]+$/u, 'nowhere'))).rejects.toMatchObject({
      trouble: 'failed',
      message: expect.stringContaining('createdb') as string,
    });
  });
});
