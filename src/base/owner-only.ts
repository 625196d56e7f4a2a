/** Protects files and folders that hold secrets: only the bot's user may open them. */
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export const OWNER_ONLY = 0o600;

/** Makes a folder that only its owner can open, with its parents. Node's `recursive` never ends if a folder refuses new ones, as in /proc. */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Removes other users' rights to a file. */
export function closeToOthers(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  } catch {
    // The file is gone, belongs to another user, or its file system has no rights, so it is used unchanged.
  }
}
