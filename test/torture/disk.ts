/** A small file system of the bot's own, which can be full or read-only. Needs root. */
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const SIZE = '48m';
const CHUNK = Buffer.alloc(64 * 1024, 1);

export interface Disk {
  /** Writes a file until no space is left. */
  fill(): void;
  free(): void;
  setReadOnly(readOnly: boolean): void;
  remove(): void;
}

/** Why it cannot be made here. */
export const withoutDisk =
  process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0 ? undefined : 'mounting a file system needs root';

export function mountDisk(folder: string): Disk {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'navwatch-torture', folder]);
  const filler = join(folder, 'filler');
  return {
    fill() {
      const file = openSync(filler, 'w');
      try {
        // From large to small pieces, so that no page is left.
        for (let length = CHUNK.length; length >= 1; length = Math.floor(length / 16))
          for (;;) if (!written(file, CHUNK.subarray(0, length))) break;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    setReadOnly: (readOnly) => void execFileSync('mount', ['-o', `remount,${readOnly ? 'ro' : 'rw'}`, folder]),
    remove: () => void spawnSync('umount', ['--lazy', folder]),
  };
}

function written(file: number, bytes: Uint8Array): boolean {
  try {
    return writeSync(file, bytes) > 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}
