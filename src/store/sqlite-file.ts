/**
 * Detects that the open database file was deleted or replaced: SQLite would write on to a file that is lost at exit. Uses only `stat`,
 * because opening and closing the file here would release its lock.
 */
import { stat } from 'node:fs/promises';
import { StoreError } from './store.js';

export interface OpenFile {
  /** Rejects with a `StoreError` (`moved`) unless the path still leads to the opened files. */
  verify(): Promise<void>;
  /** The last result of `verify`. */
  readonly isMoved: boolean;
}

/** Device and inode; undefined without a file. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}

/** Remembers the database and its `-wal` file; both must exist. */
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
