/** Detects a deleted or replaced database file by `stat`: closing another handle would release its lock. */
import { stat } from 'node:fs/promises';
import { StoreError } from './store.js';

export interface OpenFile {
  /** Rejects with a `StoreError` (`moved`). */
  verify(): Promise<void>;
  readonly isMoved: boolean;
}

async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}

/** The database and its `-wal` file must exist. */
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
