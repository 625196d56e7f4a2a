/**
 * Notices that a database file was deleted or replaced while it is open. SQLite keeps writing to the file that it opened, and all of that is
 * lost when the process ends. Only `stat` is used: opening and closing the file here would release its lock.
 */
import { stat } from 'node:fs/promises';
import { StoreError } from './store.js';

export interface OpenFile {
  /** Rejects with a `StoreError` of the trouble `moved` unless the path leads to the files that were open at the start. */
  verify(): Promise<void>;
  /** What the last `verify` found. */
  readonly isMoved: boolean;
}

/** Device and inode; undefined where no file is found. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}

/** Remembers the database file and its `-wal` file as they are now. Both must exist. */
export async function watchFile(path: string): Promise<OpenFile> {
  const identify = async () => (await Promise.all([path, `${path}-wal`].map(identityOf))).join(' ');
  const opened = await identify();
  let isMoved = false;
  return {
    get isMoved() {
      return isMoved;
    },
    async verify() {
      isMoved = (await identify()) !== opened;
      if (isMoved)
        throw new StoreError(
          'moved',
          `store: ${path} or its -wal file was deleted or replaced while Navwatch had it open, so nothing is saved; put the file back or restore a backup, then restart Navwatch`,
        );
    },
  };
}
