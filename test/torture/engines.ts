/** The engines that are tortured: SQLite in a folder, PostgreSQL and Redis as servers of their own. */
import { join } from 'node:path';
import { STORE } from '../../src/store/redis-scripts.js';
import { startPostgres, startRedis, withoutPostgres, withoutRedis, type RunningServer } from '../support/servers.js';

export interface EngineServer {
  /** Of an empty database, as STORE_URL. */
  readonly url: string;
  /** Absent: there is no server. */
  readonly server?: RunningServer;
  /** After a kill the next process need not wait until the lease ends. */
  endLease(): Promise<void>;
  remove(): Promise<void>;
}

export interface TortureEngine {
  readonly name: string;
  /** Why it cannot run here. */
  readonly missing: string | undefined;
  /** `folder`: of the bot. */
  readonly start: (folder: string) => Promise<EngineServer>;
}

export const SQLITE: TortureEngine = {
  name: 'SQLite',
  missing: undefined,
  start: async (folder) => ({
    url: `sqlite://${join(folder, 'data', 'navwatch.sqlite')}`,
    endLease: async () => {},
    remove: async () => {},
  }),
};

const POSTGRES: TortureEngine = {
  name: 'PostgreSQL',
  missing: withoutPostgres,
  start: async () => {
    const server = await startPostgres();
    const url = await server.empty();
    return {
      url,
      server,
      endLease: async () => void (await server.query(url, "UPDATE navwatch.store SET until = '-infinity'")),
      remove: server.remove,
    };
  },
};

const REDIS: TortureEngine = {
  name: 'Redis',
  missing: withoutRedis,
  start: async () => {
    const server = await startRedis();
    const url = await server.empty();
    return {
      url,
      server,
      endLease: async () => void (await server.command(url, 'HSET', STORE, 'until', '0')),
      remove: server.remove,
    };
  },
};

export const SERVERS: readonly TortureEngine[] = [POSTGRES, REDIS];

const BY_SETTING: Readonly<Record<string, TortureEngine>> = { sqlite: SQLITE, postgres: POSTGRES, redis: REDIS };

/** By TORTURE_ENGINE. Default: SQLite. */
export function engineFromEnv(): TortureEngine {
  const setting = process.env['TORTURE_ENGINE'] ?? 'sqlite';
  const engine = BY_SETTING[setting];
  if (engine === undefined) throw new Error(`TORTURE_ENGINE is ${setting}; it is one of ${Object.keys(BY_SETTING).join(', ')}`);
  return engine;
}
