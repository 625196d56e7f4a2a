/** On a database server: an export before documents are brought to another format. SQLite copies its file (src/store/copy-before.ts). */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/owner-only.js';
import type { Instant } from '../../domain/scalars.js';
import { StoreError, type Store } from '../../store/store.js';
import { BackupError } from './export-format.js';
import { exportName, exportStream } from './export-lines.js';
import { saveExport } from './save-export.js';

const NAME = 'navwatch-before-migration';
const MAX_COPIES = 2;

/** Needs the lease. Resolves with its path, or undefined where nothing changes; then earlier versions refuse the database. Rejects with a `StoreError`. */
export async function copyBeforeMigration(
  store: Pick<Store, 'shared' | 'copies'>,
  { folder, now }: { readonly folder: string; readonly now: Instant },
): Promise<string | undefined> {
  const format = store.shared?.format;
  const earlier = format?.earlier();
  if (format === undefined || earlier === undefined) return undefined;
  const path = join(folder, exportName(now, NAME));
  try {
    makeFolder(folder);
    await saveExport(await exportStream(store, now, earlier), path);
    const copies = (await readdir(folder)).filter((name) => name.startsWith(`${NAME}-`) && name.endsWith('.gz')).toSorted();
    for (const old of copies.slice(0, -MAX_COPIES)) await rm(join(folder, old), { force: true });
  } catch (cause) {
    const because = cause instanceof BackupError ? cause.message : `${folder} cannot be written`;
    const remedy = `make room in ${folder} and give this user write access, then start again, or go back to the earlier version`;
    throw new StoreError('failed', `store: the database must be exported before this version changes it: ${because}; ${remedy}`, { cause });
  }
  await format.raise();
  return path;
}
