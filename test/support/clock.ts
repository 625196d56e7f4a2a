/** A clock that only a test turns. Sleeps end in the order of their moments, each seeing its own moment as "now". */
import { setImmediate as turn } from 'node:timers/promises';
import { instant, type Clock, type Instant } from '../../src/base/clock.js';

export interface HandClock extends Clock {
  /**
   * Moves time on, ending each sleep that falls due, in order, and letting what it wakes run before the next one ends: a sleep that begins
   * while the clock turns ends too when it falls due within the same turn.
   */
  advance(milliseconds: number): Promise<void>;
  /** Moves time on to the end of the next sleep; does nothing when nobody sleeps. Returns whether someone slept. */
  next(): Promise<boolean>;
  /** How many are asleep. */
  sleepers(): number;
  /** Resolves when at least so many are asleep: the thing to await before `advance` where real input and output come in between. */
  asleep(atLeast?: number): Promise<void>;
}

interface Sleeper {
  readonly at: Instant;
  readonly order: number;
  readonly wake: () => void;
}

/** Several turns of the event loop, so that what was woken has acted, real timers and sockets excepted. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await turn();
}

/** Starts at noon UTC on 20 November 2026 unless given. */
export function handClock(start: number = Date.UTC(2026, 10, 20, 12)): HandClock {
  let now = instant(start);
  let order = 0;
  const asleep = new Set<Sleeper>();
  const watchers = new Set<() => void>();

  const due = (until: Instant): Sleeper | undefined =>
    [...asleep].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at || a.order - b.order)[0];

  const wakeUpTo = async (until: Instant): Promise<void> => {
    await settled();
    for (let sleeper = due(until); sleeper !== undefined; sleeper = due(until)) {
      now = instant(Math.max(now, sleeper.at));
      sleeper.wake();
      await settled();
    }
    now = instant(Math.max(now, until));
    await settled();
  };

  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => {
          asleep.delete(sleeper);
          reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal?.reason }));
        };
        const sleeper: Sleeper = {
          at: instant(now + Math.max(0, milliseconds)),
          order: (order += 1),
          wake: () => {
            asleep.delete(sleeper);
            signal?.removeEventListener('abort', abort);
            resolve();
          },
        };
        if (signal?.aborted === true) {
          abort();
          return;
        }
        asleep.add(sleeper);
        signal?.addEventListener('abort', abort, { once: true });
        for (const look of watchers) look();
      }),
    advance: async (milliseconds) => wakeUpTo(instant(now + milliseconds)),
    next: async () => {
      await settled();
      const first = [...asleep].toSorted((a, b) => a.at - b.at)[0];
      if (first === undefined) return false;
      await wakeUpTo(first.at);
      return true;
    },
    sleepers: () => asleep.size,
    asleep: (atLeast = 1) =>
      new Promise((resolve) => {
        const look = () => {
          if (asleep.size < atLeast) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}
