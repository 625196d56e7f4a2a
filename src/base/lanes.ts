/** Serialises work by key: what must have one writer runs one after another, different keys side by side. */
import PQueue from 'p-queue';

export interface Lanes {
  /** Runs `work` when everything queued before it under the same key has ended; rejects with its error. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is queued or running under any key. */
  idle(): Promise<void>;
}

/** Lanes vanish when they are empty, so a key costs nothing once its work is done. */
export function lanes(): Lanes {
  const open = new Map<string, PQueue>();
  return {
    async run(key, work) {
      const lane = open.get(key) ?? new PQueue({ concurrency: 1 });
      open.set(key, lane);
      try {
        return await lane.add(work);
      } finally {
        if (lane.size === 0 && lane.pending === 0 && open.get(key) === lane) open.delete(key);
      }
    },
    async idle() {
      while (open.size > 0) await Promise.all([...open.values()].map(async (lane) => lane.onIdle()));
    },
  };
}
