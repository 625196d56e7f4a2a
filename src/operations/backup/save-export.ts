/** Saves an export for its owner only. The file gets its name when it is complete and was read back. */
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OWNER_ONLY } from '../../base/owner-only.js';
import { StoreError } from '../../store/store.js';
import { BackupError } from './export-format.js';
import { readExport, type ExportFile } from './export-file.js';

/** Rejects with a `BackupError`; then nothing is left. */
export async function saveExport(from: Readable, path: string): Promise<Omit<ExportFile, 'pages'>> {
  const partial = `${path}.partial`;
  let isOurs = false;
  try {
    if (existsSync(path)) throw new BackupError(thereAlready(path));
    const to = createWriteStream(partial, { mode: OWNER_ONLY, flags: 'wx', flush: true });
    to.once('open', () => (isOurs = true));
    await pipeline(from, to);
    const saved = await readExport(partial);
    if (existsSync(path)) throw new BackupError(thereAlready(path));
    await rename(partial, path);
    await syncFolder(dirname(path));
    return saved;
  } catch (cause) {
    if (cause instanceof BackupError) throw cause;
    throw new BackupError(notSaved(path, cause), { cause });
  } finally {
    from.destroy();
    if (isOurs) await rm(partial, { force: true });
  }
}

const thereAlready = (path: string): string => `${path} or ${path}.partial is there already; name another file, or remove it`;

/** The name must survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function notSaved(path: string, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'EEXIST') return thereAlready(path);
  if (code === 'ENOSPC') return `no room is left for ${path}; free some space on its disk`;
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].includes(code))
    return `${path} cannot be written (${code}); name a file in a folder that this user may write to`;
  const because =
    cause instanceof StoreError ? cause.message : `${code === '' ? 'the connection to the bot was cut' : code}; make it again`;
  return `the export ended before it was complete: ${because}`;
}
