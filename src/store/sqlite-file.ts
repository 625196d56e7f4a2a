/** Detects a deleted or replaced database file by `stat`: closing another handle would release its lock. */
import { statSync } from 'node:fs';
import { StoreError } from './store.js';

export interface OpenFile {
  /** Throws a `StoreError` (`moved`). */
  verify(): void;
  readonly isMoved: boolean;
  isOurs(): boolean;
}

/** Blocks for microseconds; the thread pool would cost more than the rest of a commit. */
function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    return undefined; // It cannot be reached: not the file that was opened.
  }
}

/** The database and its `-wal` file must exist. */
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
