/** The `sqlite://` engine: Keyv on one SQLite file, locked by one process (docs/decisions/0001-one-process-per-database.md). Scans bypass Keyv, whose iterator is quadratic. */
import { access, constants, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { KeyvSqlite } from '@keyv/sqlite';
import { Keyv } from 'keyv';
import PQueue from 'p-queue';
import { z } from 'zod';
import { OWNER_ONLY, closeToOthers, makeFolder } from '../base/owner-only.js';
import { plainTexts, type Backend, type StoredText, APPLICATION, FORMAT } from './backend.js';
import { openGroupCommit, type Write, type WriteResults } from './group-commit.js';
import { checkStructure, markCleanStop, sqliteFailure, takeCleanStop, watchFile, type OpenFile } from './sqlite-file.js';
import { StoreError } from './store.js';

export interface SqliteOptions {
  /** How long the start waits for another process's lock, in milliseconds; 1,000 by default. */
  readonly lockWaitMs?: number;
  /** Pragmas as `name = value`, https://sqlite.org/pragma.html */
  readonly pragmas?: readonly string[];
  /** True to skip the check of a file that is unchanged since a clean stop; by default every file is checked. */
  readonly trustsCleanStop?: boolean;
}

const TABLE = 'documents';

/** https://sqlite.org/lang_select.html#limitoffset */
const NO_LIMIT = -1;

/** The suffixes of the database's own files: the file itself and its logs. */
const OURS = /^(-wal|-shm|-journal)?$/u;

/** How long a statement waits for a lock, in milliseconds. While we own the file, such a wait is rare. */
const BUSY_TIMEOUT_MS = 5_000;

/** Opens the database. Rejects with a `StoreError`. */
export async function openSqlite(
  name: string,
  { lockWaitMs = 1_000, pragmas = [], trustsCleanStop = false }: SqliteOptions = {},
): Promise<Backend> {
  const path = await prepared(name);
  const cleanStops = trustsCleanStop ? await takeCleanStop(path) : undefined;
  const database = await Database.open({ path, pragmas, isChecked: cleanStops !== undefined }, lockWaitMs);
  const groups = openGroupCommit({
    queue: async (work) => database.run(work),
    commit: async (writes) => database.commit(writes),
  });

  return {
    place: path,
    get: async (key) => {
      groups.readsKey(key);
      return (await database.select('key = ?', key))[0]?.[1];
    },
    set: async (key, text) => void (await groups.add({ key, text })),
    setIfAbsent: async (key, text) => {
      // Later writes of the key must not join a batch that runs before this read.
      groups.readsKey(key);
      return database.insert(key, text);
    },
    delete: async (key) => void (await groups.add({ key, text: undefined })),
    range: async ({ from, to, after, limit = NO_LIMIT }) => {
      groups.readsAll();
      const begins = after === undefined ? 'key >= ?' : 'key > ?';
      return database.select(`${begins} AND key < ? ORDER BY key LIMIT ?`, after ?? from, to, limit);
    },
    checkpoint: async () => database.checkpoint(),
    close: async () =>
      database.close(async () => {
        if (trustsCleanStop) await markCleanStop(path, (cleanStops ?? 0) + 1);
      }),
  };
}

/** An open database file. Its methods reject with a `StoreError`. */
class Database {
  readonly #path: string;
  readonly #adapter: KeyvSqlite;
  readonly #keyv: Keyv<string>;
  readonly #file: OpenFile;
  // One statement runs at a time: others would block Node's small thread pool, and two writes of a key could swap. Waiting writes are
  // committed together.
  readonly #line = new PQueue({ concurrency: 1 });

  private constructor(path: string, adapter: KeyvSqlite, keyv: Keyv<string>) {
    this.#path = path;
    this.#adapter = adapter;
    this.#keyv = keyv;
    this.#file = watchFile(path);
  }

  static async open(claimed: Claim, lockWaitMs: number): Promise<Database> {
    const { path } = claimed;
    const adapter = new KeyvSqlite({ uri: `sqlite://${path}`, table: TABLE, busyTimeout: lockWaitMs });
    // Without a listener the `error` event ends the process. The first query rejects with the same error.
    adapter.on('error', () => {});
    const keyv = new Keyv<string>({ ...plainTexts, store: adapter });
    try {
      await claim(adapter, claimed);
      return new Database(path, adapter, keyv);
    } catch (error) {
      // `close` rejects too if connecting failed; the first error is the useful one.
      await adapter.close().catch(() => {});
      throw sqliteFailure(path, error);
    }
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#line.add(work);
    } catch (error) {
      throw sqliteFailure(this.#path, error);
    }
  }

  async select(where: string, ...parameters: (string | number)[]): Promise<StoredText[]> {
    const found = await this.run<unknown>(async () => this.#adapter.query(`SELECT key, value FROM ${TABLE} WHERE ${where}`, ...parameters));
    return rows.parse(found).map(({ key, value }) => [key, value]);
  }

  /** Resolves with false if the key has a text already. */
  async insert(key: string, text: string): Promise<boolean> {
    return this.run(async () => {
      if (this.#file.isMoved) this.#file.verify();
      const written: unknown = await this.#adapter.query(
        `INSERT INTO ${TABLE} (key, value) VALUES (?, ?) ON CONFLICT(key) DO NOTHING RETURNING key`,
        key,
        text,
      );
      this.#file.verify();
      return z.array(z.unknown()).parse(written).length > 0;
    });
  }

  /** Commits writes. Refuses them while the path leads to another file. Must be called within `run`. */
  async commit(writes: readonly Write[]): Promise<WriteResults> {
    try {
      if (this.#file.isMoved) this.#file.verify();
      const failures = await storeWrites({ adapter: this.#adapter, keyv: this.#keyv, table: TABLE, path: this.#path }, writes);
      this.#file.verify();
      return failures;
    } catch (error) {
      return writes.map(() => sqliteFailure(this.#path, error));
    }
  }

  async checkpoint(): Promise<void> {
    await this.run(async () => {
      await this.#adapter.query(WAL_CHECKPOINT);
    });
  }

  async close(closed: () => Promise<void>): Promise<void> {
    return this.run(async () => {
      // Closing deletes the -wal file by name; after a replacement that file belongs to the new database.
      if (!this.#file.isOurs()) return;
      await this.#adapter.close();
      await closed();
    });
  }
}

/** A value that is not text becomes an empty one, which is unreadable, so that it does not hide the others. */
const rows = z.array(z.object({ key: z.string(), value: z.string().catch('') }));

const marks = z.tuple([z.object({ application: z.int(), format: z.int(), strangers: z.int() })]);

interface Claim extends Required<Pick<SqliteOptions, 'pragmas'>> {
  readonly path: string;
  /** True if the file's structure was checked. */
  readonly isChecked: boolean;
}

async function claim(adapter: KeyvSqlite, { path, pragmas, isChecked }: Claim): Promise<void> {
  await adapter.query('PRAGMA locking_mode = EXCLUSIVE');
  const [mark] = marks.parse(
    await adapter.query(
      `SELECT (SELECT application_id FROM pragma_application_id) AS application, (SELECT user_version FROM pragma_user_version) AS format,
        (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('${TABLE}') AND name NOT LIKE 'sqlite%') AS strangers`,
    ),
  );
  if (mark.application !== APPLICATION && (mark.application !== 0 || mark.format !== 0 || mark.strangers > 0)) {
    throw new StoreError('unreadable', `store: ${path} is the database of another program; name another file in STORE_URL`);
  }
  if (mark.format > FORMAT) {
    const versions = `its format is ${mark.format}, this Navwatch knows ${FORMAT}`;
    throw new StoreError(
      'newer',
      `store: ${path} was written by a newer Navwatch (${versions}); run that one, or restore a backup made before it`,
    );
  }
  if (!isChecked) await checkStructure(adapter, path);
  if (mark.application !== APPLICATION) await useSmallPages(adapter, TABLE);
  // The first write takes the exclusive lock and fails for a read-only file or folder.
  await adapter.query(`PRAGMA application_id = ${APPLICATION}`);
  for (const pragma of WAL_MODE) await adapter.query(pragma);
  await boundLog(adapter);
  for (const pragma of pragmas) await adapter.query(`PRAGMA ${pragma}`);
  await adapter.query(`PRAGMA user_version = ${FORMAT}`);
  await adapter.query(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Moves what a crash left in the log into the file.
  await adapter.query(WAL_CHECKPOINT);
}

/** Creates the folder and checks the path, with better errors than SQLite's. */
async function prepared(file: string): Promise<string> {
  if (file === '' || file.startsWith(':'))
    throw new StoreError('failed', 'store: STORE_URL names no file; use sqlite://./data/navwatch.sqlite');
  const path = resolve(file);
  const folder = dirname(path);
  try {
    makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StoreError(
      'read-only',
      `store: the folder ${folder} cannot be made or written; give this user write access, or change STORE_URL`,
      {
        cause: error,
      },
    );
  }
  const there = await stat(path).catch(() => undefined); // The file is absent at the first start.
  if (there?.isDirectory() === true) throw new StoreError('failed', `store: ${path} is a folder; name a file in STORE_URL`);
  // SQLite deletes the -wal file beside an empty database, although it may hold everything since the last checkpoint.
  if ((there?.size ?? 0) === 0 && ((await stat(`${path}-wal`).catch(() => undefined))?.size ?? 0) > 0) {
    throw new StoreError(
      'failed',
      `store: ${path} is ${there === undefined ? 'missing' : 'empty'}, but its ${path}-wal is there and may hold data; make sure that no bot is running on it, restore the database file beside it, or move the -wal file away to start with an empty database`,
    );
  }
  if (there === undefined) await create(path);
  // A restored copy may be readable by everybody, and SQLite gives the files beside it the same permissions.
  const names = await readdir(folder).catch(() => [basename(path)]);
  for (const name of names)
    if (name.startsWith(basename(path)) && OURS.test(name.slice(basename(path).length))) closeToOthers(join(folder, name));
  return path;
}

/** Creates the file for its owner only. SQLite would make it readable for everybody, and it holds secrets of webhooks. */
async function create(path: string): Promise<void> {
  try {
    await (await open(path, 'ax', OWNER_ONLY)).close();
  } catch (error) {
    // Another process created it first; only one of them gets the lock.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw sqliteFailure(path, error);
  }
}

/** The value is in bytes. */
const PAGE_SIZE = 1_024;
/** The size of the log, in bytes, at which SQLite copies it into the file. SQLite counts it in pages. */
const MAX_LOG = 4 * 1024 * 1024;

type Adapter = Pick<KeyvSqlite, 'query'>;

const sizes = z.tuple([z.object({ page_size: z.int().positive() })]);
const emptiness = z.tuple([z.object({ empty: z.int() })]);

/** Gives a file without documents small pages, because each commit writes whole pages (docs/decisions/0036-small-pages.md). The adapter has created the table already, so this needs `VACUUM`. */
async function useSmallPages(adapter: Adapter, table: string): Promise<void> {
  const [{ empty }] = emptiness.parse(await adapter.query(`SELECT NOT EXISTS (SELECT 1 FROM ${table}) AS empty`));
  if (empty === 0) return;
  await adapter.query(`PRAGMA page_size = ${PAGE_SIZE}`);
  await adapter.query('VACUUM');
}

async function boundLog(adapter: Adapter): Promise<void> {
  const [{ page_size: size }] = sizes.parse(await adapter.query('PRAGMA page_size'));
  await adapter.query(`PRAGMA wal_autocheckpoint = ${Math.ceil(MAX_LOG / size)}`);
}

/**
 * Commits are on disk before they are acknowledged. A log created under the exclusive lock has its index in memory, not in a `-shm` file,
 * which would be written too: https://sqlite.org/wal.html#use_of_wal_without_shared_memory
 */
const WAL_MODE = ['PRAGMA journal_mode = DELETE', 'PRAGMA journal_mode = WAL', 'PRAGMA synchronous = FULL'] as const;

/** Empties the `-wal` file, https://sqlite.org/pragma.html#pragma_wal_checkpoint */
const WAL_CHECKPOINT = 'PRAGMA wal_checkpoint(TRUNCATE)';

export interface SqliteWriter {
  readonly adapter: Pick<KeyvSqlite, 'query'>;
  readonly keyv: Keyv<string>;
  readonly table: string;
  readonly path: string;
}

/** Stores a batch. Writes of a failed batch are retried one by one. Never rejects. */
async function storeWrites(writer: SqliteWriter, writes: readonly Write[]): Promise<WriteResults> {
  const failed = (error: unknown) => sqliteFailure(writer.path, error);
  let batchError: unknown;
  if (writes.length > 1) {
    try {
      await storeTogether(writer, writes);
      return [];
    } catch (error) {
      batchError = error;
    }
  }
  // Each attempt would wait for the lock as long as the batch did, so after a locked one no other is made.
  let lockError = batchError !== undefined && failed(batchError).trouble === 'locked' ? batchError : undefined;
  const failures: (Error | undefined)[] = [];
  for (const write of writes) {
    if (lockError !== undefined) {
      failures.push(failed(lockError));
      continue;
    }
    try {
      await storeAlone(writer, write);
      failures.push(undefined);
    } catch (error) {
      const failure = failed(error);
      if (failure.trouble === 'locked') lockError = error;
      failures.push(failure);
    }
  }
  return failures;
}

async function storeAlone({ keyv }: SqliteWriter, { key, text }: Write): Promise<void> {
  await (text === undefined ? keyv.delete(key) : keyv.set(key, text));
}

/** Stores a batch in one transaction. Only the last write of each key is executed. */
async function storeTogether({ adapter, table }: SqliteWriter, writes: readonly Write[]): Promise<void> {
  const rows: string[] = [];
  const deleted: string[] = [];
  for (const [key, text] of new Map(writes.map((write) => [write.key, write.text]))) {
    if (text === undefined) deleted.push(key);
    else rows.push(key, text);
  }
  const upsert = async (): Promise<void> => {
    if (rows.length === 0) return;
    const values = listOf('(?, ?)', rows.length / 2);
    await adapter.query(`INSERT INTO ${table} (key, value) VALUES ${values} ON CONFLICT(key) DO UPDATE SET value=excluded.value`, rows);
  };
  // A single statement is a transaction by itself.
  if (deleted.length === 0) return upsert();
  await adapter.query('BEGIN');
  try {
    await upsert();
    await adapter.query(`DELETE FROM ${table} WHERE key IN (${listOf('?', deleted.length)})`, deleted);
    await adapter.query('COMMIT');
  } catch (error) {
    // Some errors (a full disk) roll back by themselves; ROLLBACK then fails.
    await adapter.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

const listOf = (item: string, count: number): string => Array.from({ length: count }, () => item).join(', ');
