/** Serialises work by key. */

export interface Lanes {
  /** Rejects with the error of `work`. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  idle(): Promise<void>;
}

export function lanes(): Lanes {
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
