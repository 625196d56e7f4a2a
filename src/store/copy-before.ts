/** A copy of a SQLite database before its format changes, for the earlier version. */
import { open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { KeyvSqlite } from '@keyv/sqlite';
import { z } from 'zod';
import { OWNER_ONLY } from '../base/owner-only.js';
import { StoreError } from './store.js';

const MAX_COPIES = 2;
/** Bytes for what the bot writes next. */
const SPARE = 32 * 1024 * 1024;

const sizeSchema = z.tuple([z.object({ bytes: z.int() })]);

/** Resolves with its path, `<path>.before-<format>`. An interrupted copy is made again. */
export async function copyBefore(format: number, { adapter, path }: { adapter: Pick<KeyvSqlite, 'query'>; path: string }): Promise<string> {
  const folder = dirname(path);
  const copy = `${path}.before-${format}`;
  const partial = `${copy}.partial`;
  await rm(partial, { force: true });
  const [{ bytes }] = sizeSchema.parse(
    await adapter.query('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size'),
  );
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < bytes + SPARE) throw noRoom(path, bytes + SPARE - bavail * bsize);
  try {
    // An empty file is written into, and so never readable by others.
    await writeFile(partial, '', { mode: OWNER_ONLY });
    await adapter.query('VACUUM INTO ?', partial);
    await sync(partial);
    await rename(partial, copy);
    await sync(folder);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await removeOld(folder, basename(copy));
  return copy;
}

const noRoom = (path: string, missing: number): StoreError =>
  new StoreError(
    'full',
    `store: ${path} must be copied before this version changes it, and its disk has no room for that; free ${Math.ceil(missing / 1e6)} MB, then start again`,
  );

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The newest of the others stays. */
async function removeOld(folder: string, newest: string): Promise<void> {
  const name = newest.replace(/\d+$/u, '');
  const others = (await readdir(folder)).filter((one) => one !== newest && one.startsWith(name) && /^\d+$/u.test(one.slice(name.length)));
  const dated = await Promise.all(others.map(async (one) => ({ one, at: (await stat(join(folder, one))).mtimeMs })));
  const old = dated.toSorted((a, b) => b.at - a.at).slice(MAX_COPIES - 1);
  await Promise.all(old.map(async ({ one }) => rm(join(folder, one), { force: true })));
}
