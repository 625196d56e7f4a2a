/** Time as a port, so that the whole bot can run under a simulated clock. */
import { setTimeout as wait } from 'node:timers/promises';

/** A moment, in Unix milliseconds. Seconds and ISO text become this where they enter. */
export type Instant = number & { readonly __brand: 'Instant' };

/** Marks Unix milliseconds as an `Instant`. The only place that casts to it. */
export const instant = (milliseconds: number): Instant => milliseconds as Instant;

/** `at` moved by so many milliseconds. */
export const later = (at: Instant, milliseconds: number): Instant => instant(at + milliseconds);

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Clock {
  now(): Instant;
  /** Resolves after so many milliseconds; rejects with the signal's reason when aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** What a timer can wait for; a longer time would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => instant(Date.now()),
  sleep: async (milliseconds, signal) => {
    try {
      for (let left = milliseconds; left >= 0; left -= LONGEST_TIMER)
        await wait(Math.min(left, LONGEST_TIMER), undefined, signal ? { signal } : {});
    } catch (cause) {
      // A timer rejects with an error of its own; whoever aborted wants to see the reason given.
      signal?.throwIfAborted();
      throw cause;
    }
  },
};
