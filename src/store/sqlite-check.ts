/** Whether a SQLite file is whole. `<path>-clean` says what the file was when it was last closed: the same file need not be read again. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { KeyvSqlite } from '@keyv/sqlite';
import { z } from 'zod';
import { StoreError } from './store.js';

const verdict = z.tuple([z.object({ integrity_check: z.string() })]);

/** A damaged index would make documents look absent. Reads the whole file. */
export async function checkStructure(adapter: Pick<KeyvSqlite, 'query'>, path: string): Promise<void> {
  const health = verdict.parse(await adapter.query('PRAGMA integrity_check(1)'));
  if (health[0].integrity_check !== 'ok') throw new StoreError('unreadable', `store: ${path} is damaged; restore a backup`);
}

const markOf = (path: string): string => `${path}-clean`;

/** Every change of a file changes its ctime, which no program can set. Undefined while a `-wal` file holds writes. */
async function stateOf(path: string): Promise<string | undefined> {
  const [file, log] = await Promise.all([path, `${path}-wal`].map(async (one) => stat(one, { bigint: true }).catch(() => undefined)));
  return file === undefined || (log?.size ?? 0n) > 0n ? undefined : [file.ino, file.size, file.mtimeNs, file.ctimeNs].join(' ');
}

/** A disk may damage a file without changing its times. */
export const MAX_UNCHECKED_STARTS = 10;

/** Clean stops since the file was checked; undefined where it must be checked now. Removes the mark before anything is written, so that a crash leaves none. */
export async function takeCleanStop(path: string): Promise<number | undefined> {
  const marked = await readFile(markOf(path), 'utf8').catch(() => undefined);
  if (marked === undefined) return undefined;
  const state = await stateOf(path);
  await rm(markOf(path), { force: true }).catch(() => {}); // It fits no file that is written from now on.
  const [, stops, then] = /^(\d{1,3}) (.*)$/u.exec(marked) ?? [];
  return state !== undefined && then === state && Number(stops) <= MAX_UNCHECKED_STARTS ? Number(stops) : undefined;
}

/** Of a closed database. Never rejects: without the mark the next start checks the file. */
export async function markCleanStop(path: string, stops: number): Promise<void> {
  const state = await stateOf(path);
  if (state !== undefined) await writeFile(markOf(path), `${stops} ${state}`).catch(() => {});
}
