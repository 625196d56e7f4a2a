/** Pictures drawn lately, by what is drawn; the ones not asked for the longest go first. */

export interface Keep {
  get(key: string): Uint8Array | undefined;
  /** What is larger than the whole room is not kept. */
  put(key: string, bytes: Uint8Array): void;
}

/** Holds at most so many bytes. */
export function createKeep(room: number): Keep {
  // A Map remembers the order of insertion: what is used is put in again, so the first is the oldest.
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
