/** Checks that a SQLite file is still the one that was opened and is undamaged, and explains its errors. */
import { statSync } from 'node:fs';
import { StoreError, type StoreTrouble } from './store.js';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { KeyvSqlite } from '@keyv/sqlite';
import { z } from 'zod';

/** Detects a deleted or replaced file. Uses `stat`, because closing another handle of the file would release its lock. */
export interface OpenFile {
  /** Throws a `StoreError` (`moved`). */
  verify(): void;
  readonly isMoved: boolean;
  isOurs(): boolean;
}

/** Identifies a file synchronously: that blocks for microseconds, while the thread pool would cost more than the rest of a commit. */
function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    return undefined; // A file that cannot be reached is not the one that was opened.
  }
}

/** Watches a database. The file and its `-wal` file must exist. */
export function watchFile(path: string): OpenFile {
  const identify = (): string => [path, `${path}-wal`].map(identityOf).join(' ');
  const opened = identify();
  let isMoved = false;
  return {
    get isMoved() {
      return isMoved;
    },
    isOurs: () => identify() === opened,
    verify() {
      isMoved = identify() !== opened;
      if (isMoved)
        throw new StoreError(
          'moved',
          `store: ${path} or its -wal file was deleted or replaced while Navwatch had it open, so nothing is saved; put the file back or restore a backup, then restart Navwatch`,
        );
    },
  };
}

const verdict = z.tuple([z.object({ integrity_check: z.string() })]);

/** Checks the structure, because a damaged index would make documents look absent. Reads the whole file; `takeCleanStop` tells if that can be skipped. */
export async function checkStructure(adapter: Pick<KeyvSqlite, 'query'>, path: string): Promise<void> {
  const health = verdict.parse(await adapter.query('PRAGMA integrity_check(1)'));
  if (health[0].integrity_check !== 'ok') throw new StoreError('unreadable', `store: ${path} is damaged; restore a backup`);
}

/** The file `<path>-clean` describes the database as it was last closed. An unchanged database need not be checked again. */
const markOf = (path: string): string => `${path}-clean`;

/** Describes the file's state by its ctime, which changes with every write and which no program can set. Undefined while a `-wal` file holds writes. */
async function stateOf(path: string): Promise<string | undefined> {
  const [file, log] = await Promise.all([path, `${path}-wal`].map(async (one) => stat(one, { bigint: true }).catch(() => undefined)));
  return file === undefined || (log?.size ?? 0n) > 0n ? undefined : [file.ino, file.size, file.mtimeNs, file.ctimeNs].join(' ');
}

/** The file is checked after this many clean stops anyway, because a disk may damage it without changing its times. */
export const MAX_UNCHECKED_STARTS = 10;

/** Resolves with the number of clean stops since the last check; undefined if the file must be checked. Removes the mark, so that a crash leaves none. */
export async function takeCleanStop(path: string): Promise<number | undefined> {
  const marked = await readFile(markOf(path), 'utf8').catch(() => undefined);
  if (marked === undefined) return undefined;
  const state = await stateOf(path);
  await rm(markOf(path), { force: true }).catch(() => {}); // The mark is invalid as soon as the database is written.
  const [, stops, then] = /^(\d{1,3}) (.*)$/u.exec(marked) ?? [];
  return state !== undefined && then === state && Number(stops) <= MAX_UNCHECKED_STARTS ? Number(stops) : undefined;
}

/** Marks the file of a closed database. Never rejects; without the mark the next start checks the file. */
export async function markCleanStop(path: string, stops: number): Promise<void> {
  const state = await stateOf(path);
  if (state !== undefined) await writeFile(markOf(path), `${stops} ${state}`).catch(() => {});
}

// https://sqlite.org/rescode.html
type Explain = readonly [trouble: StoreTrouble, sentence: (path: string) => string];

const damaged: Explain = [
  'unreadable',
  (path) =>
    `${path} is not a readable Navwatch database (another kind of file, or damaged); restore a backup or name another file in STORE_URL`,
];
const locked: Explain = ['locked', (path) => `another Navwatch (or another program) has ${path} open; stop it first`];
const readOnly: Explain = ['read-only', (path) => `${path} cannot be written; give this user write access to the file and its folder`];

const explained: Readonly<Record<string, Explain>> = {
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  SQLITE_READONLY: readOnly,
  SQLITE_PERM: readOnly,
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
  SQLITE_FULL: ['full', (path) => `no room is left for ${path}; free some space on its disk (what was stored before is safe)`],
  SQLITE_CANTOPEN: ['failed', (path) => `${path} cannot be opened; check that this user may read and write the file and its folder`],
  SQLITE_IOERR: ['failed', (path) => `the disk under ${path} failed to read or write; check the disk, then start again`],
};

const coded = z.object({ code: z.string() });

/** Converts an error into a `StoreError`. A `StoreError` passes unchanged. */
export function sqliteFailure(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = coded.safeParse(error).data?.code ?? 'an unknown error';
  const [trouble, sentence] = explained[code] ?? ['failed', (at) => `the database ${at} failed (${code}); see the log, then start again`];
  return new StoreError(trouble, `store: ${sentence(path)}`, { cause: error });
}
