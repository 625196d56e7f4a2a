/** Database servers from Debian, started on loopback for one file of tests, with their data in a temporary folder. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@keyv/redis';
import pg from 'pg';
import { FORMAT } from '../../src/store/backend.js';
import { freePort } from './free-port.js';

/** Debian's paths: https://packages.debian.org/bookworm/postgresql-15 */
const POSTGRES = '/usr/lib/postgresql/15/bin';
const REDIS = '/usr/bin/redis-server';

const DATABASES = 3;

/** Another database as far as Navwatch can see. */
const EMPTY = `DELETE FROM navwatch.documents; DELETE FROM navwatch.counters; UPDATE navwatch.store
  SET id = gen_random_uuid(), format = ${FORMAT}, epoch = 0, owner = NULL, holder = '', until = '-infinity'`;

const MAX_START_MS = 120_000;

/** Why tests that need it are skipped; undefined: they run. */
export const withoutPostgres = existsSync(join(POSTGRES, 'postgres')) ? undefined : 'PostgreSQL 15 is not installed';
export const withoutRedis = existsSync(REDIS) ? undefined : 'redis-server is not installed';

export interface RunningServer {
  readonly port: number;
  /** Starts it again after `kill` or `stop`, with its data. */
  start(): Promise<void>;
  /** SIGKILL: nothing is written to disk any more. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Of every process of the server, as a machine that hangs. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

export interface DatabaseServer extends RunningServer {
  readonly url: string;
  /** The address of an empty database. Each of the last three is another one. */
  empty(): Promise<string>;
}

export interface PostgresServer extends DatabaseServer {
  /** The address of a new database with this name. */
  database(name: string): Promise<string>;
  /** As a superuser, on the database of an address. */
  query(url: string, text: string, values?: readonly unknown[]): Promise<unknown[]>;
}

/** A server program whose process leads a group of its own. */
async function runServer(
  port: number,
  folder: string,
  command: readonly [string, ...string[]],
  isUp: () => Promise<boolean>,
): Promise<RunningServer> {
  let child: ChildProcess | undefined;
  let gone: Promise<unknown> = Promise.resolve();
  const signal = (name: NodeJS.Signals): void => {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(child.pid, name);
  };
  /** Sessions of PostgreSQL are processes, each with a group of its own. */
  const signalAll = (name: NodeJS.Signals): void => {
    signal(name);
    const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(child?.pid)], { encoding: 'utf8' }).stdout;
    for (const pid of found
      .split('\n')
      .map(Number)
      .filter((number) => number > 0)) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const end = async (name: NodeJS.Signals): Promise<void> => {
    signal(name);
    await gone;
  };
  const atExit = (): void => signal('SIGKILL');
  const server: RunningServer = {
    port,
    start: async () => {
      const [program, ...given] = command;
      child = spawn(program, given, { cwd: folder, detached: true, stdio: 'ignore', ...owner() });
      gone = once(child, 'exit');
      const end = Date.now() + MAX_START_MS;
      while (!(await isUp())) {
        if (child.exitCode !== null || Date.now() > end) throw new Error(`${program} did not start in ${folder}`);
        await sleep(20);
      }
    },
    kill: async () => {
      signalAll('SIGKILL');
      await gone;
    },
    // SIGINT: PostgreSQL ends its sessions instead of waiting for them.
    stop: async () => end('SIGINT'),
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    remove: async () => {
      process.off('exit', atExit);
      signalAll('SIGKILL');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
  process.on('exit', atExit);
  await server.start();
  return server;
}

/** PostgreSQL refuses to run as root. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout));
  return uid === undefined || gid === undefined || Number.isNaN(uid) || uid === 0 ? {} : { uid, gid };
}

async function newFolder(name: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, `navwatch-${name}-`));
  const { uid } = owner();
  if (uid !== undefined) {
    await chmod(folder, 0o700);
    spawnSync('chown', [String(uid), folder]);
  }
  return folder;
}

/** `settings` as `name=value`. */
export async function startPostgres(settings: readonly string[] = [], parent?: string): Promise<PostgresServer> {
  const [port, folder] = [await freePort(), await newFolder('postgres', parent)];
  const data = join(folder, 'data');
  const made = spawnSync(
    join(POSTGRES, 'initdb'),
    ['-D', data, '-U', 'navwatch', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'],
    {
      cwd: folder,
      encoding: 'utf8',
      ...owner(),
    },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  // As its first line, so that it comes before those that trust everybody.
  const rules = join(data, 'pg_hba.conf');
  await writeFile(rules, `host all guarded 127.0.0.1/32 scram-sha-256\n${await readFile(rules, 'utf8')}`);
  const at = (database: string): string => `postgres://navwatch@127.0.0.1:${port}/${database}`;
  const pools = new Map<string, pg.Pool>();
  const poolOf = (url: string): pg.Pool => {
    const known = pools.get(url);
    if (known !== undefined) return known;
    const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 5_000 });
    pool.on('error', () => {}); // The server was killed.
    pools.set(url, pool);
    return pool;
  };
  const query = async (url: string, text: string, values: readonly unknown[] = []): Promise<unknown[]> =>
    (await poolOf(url).query<object>(text, [...values])).rows;
  const isUp = async (): Promise<boolean> =>
    query(at('postgres'), 'SELECT 1').then(
      () => true,
      () => false,
    );
  const given = [`listen_addresses=127.0.0.1`, `unix_socket_directories=${folder}`, 'shared_buffers=32MB', ...settings];
  const server = await runServer(
    port,
    folder,
    [join(POSTGRES, 'postgres'), '-D', data, '-p', String(port), ...given.flatMap((setting) => ['-c', setting])],
    isUp,
  );
  const database = async (name: string): Promise<string> => {
    await query(at('postgres'), `CREATE DATABASE ${name}`);
    return at(name);
  };
  const databases = [at('postgres'), await database('navwatch_1'), await database('navwatch_2')];
  let opened = 0;
  return {
    ...server,
    url: at('postgres'),
    ...{ query, database },
    remove: async () => {
      await Promise.all([...pools.values()].map(async (pool) => pool.end()));
      await server.remove();
    },
    empty: async () => {
      const url = databases[(opened += 1) % databases.length] ?? '';
      // Much faster than the first, which is for what is missing or strange.
      await query(url, EMPTY).catch(async () => query(url, 'DROP SCHEMA IF EXISTS navwatch CASCADE'));
      return url;
    },
  };
}

export interface RedisServer extends DatabaseServer {
  command(url: string, ...words: readonly string[]): Promise<unknown>;
  /** The next empty database is the first one again: a client of another address costs more than a test. */
  rewind(): void;
}

/** As Navwatch needs it; `settings` as `name value` overrule. */
export async function startRedis(settings: readonly string[] = [], parent?: string): Promise<RedisServer> {
  const [port, folder] = [await freePort(), await newFolder('redis', parent)];
  const url = `redis://127.0.0.1:${port}`;
  const newClient = (at: string) => createClient({ url: at, socket: { reconnectStrategy: false } });
  const clients = new Map<string, ReturnType<typeof newClient>>();
  const connected = async (at: string) => {
    const known = clients.get(at);
    if (known?.isReady === true) return known;
    const client = newClient(at);
    client.on('error', () => {});
    await client.connect();
    clients.set(at, client);
    return client;
  };
  const command = async (at: string, ...words: readonly string[]): Promise<unknown> =>
    (await connected(at)).sendCommand<unknown>([...words]);
  const isUp = async (): Promise<boolean> =>
    command(url, 'PING').then(
      () => true,
      () => false,
    );
  const given = ['bind 127.0.0.1', `dir ${folder}`, 'save ""', 'appendonly yes', 'appendfsync always', ...settings];
  const server = await runServer(port, folder, [REDIS, '--port', String(port), ...given.flatMap((line) => `--${line}`.split(' '))], isUp);
  let opened = 0;
  return {
    ...server,
    url,
    command,
    remove: async () => {
      for (const client of clients.values()) client.destroy();
      await server.remove();
    },
    rewind: () => void (opened = 0),
    empty: async () => {
      const database = (opened += 1) % DATABASES;
      // Not FLUSHDB, which writes the whole file again.
      const forget = "for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('DEL', key) end";
      await command(`${url}/${database}`, 'EVAL', forget, '0');
      return `${url}/${database}`;
    },
  };
}
