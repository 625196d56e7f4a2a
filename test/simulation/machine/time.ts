/** Simulated time. A process sees it through a clock of its own, which stands still for good once the process is killed. */
import { instant, type Clock, type Instant } from '../../../src/base/clock.js';

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
  /** Undefined: taken back. */
  callback: (() => void) | undefined;
}

const isBefore = (a: Timer, b: Timer): boolean => a.moment < b.moment || (a.moment === b.moment && a.order < b.order);

/** A binary heap. */
function openTimers() {
  const heap: Timer[] = [];
  const at = (index: number): Timer | undefined => heap[index];
  const swap = (a: number, b: number): void => {
    const [first, second] = [at(a), at(b)];
    if (first === undefined || second === undefined) return;
    heap[a] = second;
    heap[b] = first;
  };
  const goesFirst = (a: number, b: number): boolean => {
    const [first, second] = [at(a), at(b)];
    return first !== undefined && (second === undefined || isBefore(first, second));
  };
  return {
    first: () => at(0),
    add(timer: Timer) {
      heap.push(timer);
      for (let index = heap.length - 1; index > 0;) {
        const above = (index - 1) >> 1;
        if (!goesFirst(index, above)) return;
        swap(index, above);
        index = above;
      }
    },
    drop() {
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return;
      heap[0] = last;
      for (let index = 0; ;) {
        const below = goesFirst(2 * index + 2, 2 * index + 1) ? 2 * index + 2 : 2 * index + 1;
        if (!goesFirst(below, index)) return;
        swap(index, below);
        index = below;
      }
    },
  };
}

const turn = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Whether work has yielded to the event loop and not gone on yet. */
const hasYielded = (): boolean => process.getActiveResourcesInfo().includes('Immediate');

/** Turns of the event loop for work that keeps yielding to it. */
const MAX_TURNS = 10_000;

export function simulatedTime(start: number): Time {
  let now = start;
  let order = 0;
  const timers = openTimers();
  // Nothing in a simulation does real input or output, so a turn of the event loop runs all promises to their next wait.
  const settled = async (): Promise<void> => {
    await turn();
    for (let count = 1; hasYielded(); count += 1) {
      if (count === MAX_TURNS) throw new Error('the bot yields to the event loop without end');
      await turn();
    }
  };
  return {
    now: () => instant(now),
    at(moment, callback) {
      // A machine's clock shows whole milliseconds.
      const timer: Timer = { moment: Math.max(now, Math.ceil(moment)), order: (order += 1), callback };
      timers.add(timer);
      return () => {
        timer.callback = undefined;
      };
    },
    async until(moment) {
      await settled();
      for (let timer = timers.first(); timer !== undefined && timer.moment <= moment; timer = timers.first()) {
        timers.drop();
        if (timer.callback === undefined) continue;
        now = Math.max(now, timer.moment);
        timer.callback();
        await settled();
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
  /** Nothing of it runs until this moment, as in a machine that was suspended. */
  pause(until: number): void;
  isPaused(): boolean;
  /** As of time, but for a pause. */
  at(moment: number, callback: () => void): () => void;
  /** The wall clock is set, by so many ms. What is asleep wakes as before. */
  jump(milliseconds: number): void;
  /** Resolves with what `work` gives, unless the process is dead by then. */
  survive<T>(work: Promise<T>): Promise<T>;
}

/** A promise of its own each time: one for all would keep everything that ever waited for it in memory. */
const never = async (): Promise<never> => new Promise<never>(() => {});

/** `skew`: by how much the machine's wall clock is wrong. */
export function life(time: Time, skew = 0): Life {
  let alive = true;
  let ahead = skew;
  let pausedUntil = 0;
  const isPaused = (): boolean => time.now() < pausedUntil;
  const at: Time['at'] = (moment, callback) => {
    let cancel = time.at(moment, () => {
      if (isPaused()) cancel = time.at(pausedUntil, callback);
      else callback();
    });
    return () => cancel();
  };
  const resumed = async (): Promise<void> =>
    new Promise((resolve) => {
      at(pausedUntil, resolve);
    });
  const survive = async <T>(work: Promise<T>): Promise<T> => {
    try {
      const result = await work;
      if (isPaused()) await resumed();
      return alive ? result : await never();
    } catch (cause) {
      if (isPaused()) await resumed();
      if (!alive) await never();
      throw cause;
    }
  };
  return {
    isAlive: () => alive,
    kill: () => {
      alive = false;
    },
    pause: (until) => {
      pausedUntil = until;
    },
    isPaused,
    at,
    jump: (milliseconds) => {
      ahead += milliseconds;
    },
    survive,
    clock: {
      now: () => instant(time.now() + ahead),
      sleep: async (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          const abort = (): void => {
            cancel();
            if (alive) reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal?.reason }));
          };
          const cancel = at(time.now() + Math.max(0, milliseconds), () => {
            signal?.removeEventListener('abort', abort);
            if (alive) resolve();
          });
          if (signal?.aborted === true) abort();
          else signal?.addEventListener('abort', abort, { once: true });
        }),
    },
  };
}
