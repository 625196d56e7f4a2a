/** Time as a port, so that the bot can run under a simulated clock. */
import { setTimeout as wait } from 'node:timers/promises';

/** Unix milliseconds. Seconds and ISO text are converted where they enter. */
export type Instant = number & { readonly __brand: 'Instant' };

/** The only place that casts to `Instant`. */
export const instant = (milliseconds: number): Instant => milliseconds as Instant;

export const later = (at: Instant, milliseconds: number): Instant => instant(at + milliseconds);

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Clock {
  now(): Instant;
  /** Rejects with the signal's reason. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Of a Node.js timer; a longer one fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => instant(Date.now()),
  sleep: async (milliseconds, signal) => {
    try {
      for (let left = milliseconds; left >= 0; left -= MAX_TIMER)
        await wait(Math.min(left, MAX_TIMER), undefined, signal ? { signal } : {});
    } catch (cause) {
      // The timer rejects with its own error; callers expect the signal's reason.
      signal?.throwIfAborted();
      throw cause;
    }
  },
};
