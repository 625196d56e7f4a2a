/** An LRU cache of drawn charts, bounded in bytes. */

export interface PictureCache {
  get(key: string): Uint8Array | undefined;
  put(key: string, bytes: Uint8Array): void;
}

export function createPictureCache(room: number): PictureCache {
  // A Map iterates in insertion order; a hit is inserted again, so the first entry is the least recently used.
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  const drop = (key: string): void => {
    size -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  };
  return {
    get(key) {
      const bytes = kept.get(key);
      if (bytes !== undefined) {
        kept.delete(key);
        kept.set(key, bytes);
      }
      return bytes;
    },
    put(key, bytes) {
      drop(key);
      if (bytes.length > room) return;
      kept.set(key, bytes);
      size += bytes.length;
      for (const oldest of kept.keys()) {
        if (size <= room) return;
        drop(oldest);
      }
    },
  };
}
