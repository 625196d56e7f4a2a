/** Serialises work by key: what must have one writer runs one after another, different keys side by side. */

export interface Lanes {
  /** Runs `work` when everything begun before it under the same key has ended; rejects with its error. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing waits or runs under any key. */
  idle(): Promise<void>;
}

/** Lanes vanish when they are empty, so a key costs nothing once its work is done. */
export function lanes(): Lanes {
  /** The end of the last work under each key. */
  const ends = new Map<string, Promise<void>>();
  return {
    async run(key, work) {
      const before = ends.get(key);
      const result = before === undefined ? work() : before.then(work);
      const end: Promise<void> = result.then(ignored, ignored).then(() => {
        if (ends.get(key) === end) ends.delete(key);
      });
      ends.set(key, end);
      return result;
    },
    async idle() {
      while (ends.size > 0) await Promise.all(ends.values());
    },
  };
}

const ignored = (): void => {};
