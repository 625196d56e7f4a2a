/** Files and folders that hold secrets: only the user that the bot runs as may open them. */
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export const OWNER_ONLY = 0o600;

/** Makes a folder for its owner only, folder by folder: Node's own `recursive` never ends where one cannot be made in another, as in /proc. */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Takes the rights of others away from a file. */
export function closeToOthers(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  } catch {
    // It is gone, belongs to another user, or its file system knows no rights: it is used as it is.
  }
}
