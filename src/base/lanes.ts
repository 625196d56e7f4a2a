/** Serialises work by key. */

export interface Lanes {
  /** Runs work after earlier work of the key. By calling `leave`, work lets the next one start before it ends. Rejects with the error of `work`. */
  run<T>(key: string, work: (leave: () => void) => Promise<T>): Promise<T>;
  /** Resolves when no lane has work. Does not wait for work that left its lane. */
  idle(): Promise<void>;
}

export function lanes(): Lanes {
  const ends = new Map<string, Promise<void>>();
  return {
    async run(key, work) {
      const before = ends.get(key);
      let leave = (): void => {};
      const left = new Promise<void>((resolve) => void (leave = resolve));
      const result = before === undefined ? work(leave) : before.then(async () => work(leave));
      result.then(leave, leave);
      const end: Promise<void> = left.then(() => {
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
