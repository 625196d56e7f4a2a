/** Free space on the disk of the database. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** In bytes; undefined where unknown. */
export async function diskFree(storeUrl: string): Promise<number | undefined> {
  const file = /^sqlite:\/\/(.+)$/su.exec(storeUrl)?.[1];
  if (file === undefined) return undefined;
  try {
    const { bavail, bsize } = await statfs(dirname(file));
    return bavail * bsize;
  } catch {
    return undefined; // Some file systems have no such figures.
  }
}
