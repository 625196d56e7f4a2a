/** Simulated time over a real database: time moves on when nothing is read or written any more. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Backend } from '../../src/store/backend.js';
import { simulatedTime, type Time } from '../simulation/machine/time.js';

/** What is under way outside of simulated time. */
export interface UnderWay {
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves once nothing is under way, and nothing follows from what was. */
  settled(): Promise<void>;
}

export function createUnderWay(): UnderWay {
  let count = 0;
  let wake = (): void => {};
  const ended = (): void => {
    count -= 1;
    if (count === 0) wake();
  };
  return {
    track: async (work) => {
      count += 1;
      return work.finally(ended);
    },
    async settled() {
      for (;;) {
        await turn();
        if (count === 0) await turn();
        if (count === 0) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

export interface LongTime extends Time {
  /** Timers that wait. */
  waiting(): number;
}

export function longTime(start: number, underWay: UnderWay): LongTime {
  const time = simulatedTime(start);
  const moments = new Map<number, number>();
  const drop = (moment: number): void => {
    const left = (moments.get(moment) ?? 0) - 1;
    if (left > 0) moments.set(moment, left);
    else moments.delete(moment);
  };
  return {
    now: time.now,
    waiting: () => [...moments.values()].reduce((sum, count) => sum + count, 0),
    at(wanted, callback) {
      const moment = Math.max(time.now(), Math.ceil(wanted));
      moments.set(moment, (moments.get(moment) ?? 0) + 1);
      let isOver = false;
      const over = (): void => {
        if (!isOver) drop(moment);
        isOver = true;
      };
      const cancel = time.at(moment, () => {
        over();
        callback();
      });
      return () => {
        over();
        cancel();
      };
    },
    async until(moment) {
      await underWay.settled();
      for (let next = Math.min(...moments.keys()); next <= moment; next = Math.min(...moments.keys())) {
        await time.until(next);
        await underWay.settled();
      }
      await time.until(moment);
    },
  };
}

/** The same database, whose work is counted. */
export const trackedBackend = (backend: Backend, { track }: UnderWay): Backend => ({
  ...backend,
  get: async (key) => track(backend.get(key)),
  set: async (key, text, writers) => track(backend.set(key, text, writers)),
  setIfAbsent: async (key, text, writers) => track(backend.setIfAbsent(key, text, writers)),
  delete: async (key, writers) => track(backend.delete(key, writers)),
  range: async (range) => track(backend.range(range)),
  checkpoint: async () => track(backend.checkpoint()),
});
