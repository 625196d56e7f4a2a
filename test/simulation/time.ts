/** Simulated time. A process sees it through a clock of its own, which stands still for good once the process is killed. */
import { setImmediate as turn } from 'node:timers/promises';
import { instant, type Clock, type Instant } from '../../src/base/clock.js';

export interface Time {
  now(): Instant;
  /** Calls back at this moment, after what was asked for earlier at the same moment. Returns how to take it back. */
  at(moment: number, callback: () => void): () => void;
  /** Moves time on, timer by timer; what each wakes runs to its next wait before the following one. */
  until(moment: number): Promise<void>;
}

interface Timer {
  readonly moment: number;
  readonly order: number;
  readonly callback: () => void;
}

export function simulatedTime(start: number): Time {
  let now = start;
  let order = 0;
  const timers = new Set<Timer>();
  const first = (): Timer | undefined => {
    let found: Timer | undefined;
    for (const timer of timers)
      if (found === undefined || timer.moment < found.moment || (timer.moment === found.moment && timer.order < found.order)) found = timer;
    return found;
  };
  return {
    now: () => instant(now),
    at(moment, callback) {
      const timer: Timer = { moment: Math.max(now, moment), order: (order += 1), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async until(moment) {
      // Nothing in a simulation does real input or output, so one turn of the event loop runs all promises to their next wait.
      await turn();
      for (let timer = first(); timer !== undefined && timer.moment <= moment; timer = first()) {
        timers.delete(timer);
        now = Math.max(now, timer.moment);
        timer.callback();
        await turn();
      }
      now = Math.max(now, moment);
    },
  };
}

/** One life of a process. Whatever it waits for when it is killed never comes. */
export interface Life {
  readonly clock: Clock;
  isAlive(): boolean;
  kill(): void;
  /** Resolves with what `work` gives, unless the process is dead by then. */
  survive<T>(work: Promise<T>): Promise<T>;
}

const NEVER = new Promise<never>(() => {});

export function life(time: Time): Life {
  let alive = true;
  const survive = async <T>(work: Promise<T>): Promise<T> => {
    try {
      const result = await work;
      return alive ? result : await NEVER;
    } catch (cause) {
      if (!alive) await NEVER;
      throw cause;
    }
  };
  return {
    isAlive: () => alive,
    kill: () => {
      alive = false;
    },
    survive,
    clock: {
      now: () => time.now(),
      sleep: async (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          const abort = (): void => {
            cancel();
            if (alive) reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal?.reason }));
          };
          const cancel = time.at(time.now() + Math.max(0, milliseconds), () => {
            signal?.removeEventListener('abort', abort);
            if (alive) resolve();
          });
          if (signal?.aborted === true) abort();
          else signal?.addEventListener('abort', abort, { once: true });
        }),
    },
  };
}
