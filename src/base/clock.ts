/** Defines the clock interface, so that the bot can run under a simulated clock. */
/** Unix milliseconds. Seconds and ISO text are converted when they are read. */
export type Instant = number & { readonly __brand: 'Instant' };

/** Makes an `Instant`. No other code casts to it. */
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

/** Readings of the wall clock and the monotonic clock, in milliseconds. The wall clock may jump; the monotonic one may stop while the machine sleeps. */
export interface ClockReading {
  readonly monotonic: number;
  readonly wall: number;
}

/** The longest timer of Node.js. A longer one would fire at once. */
const MAX_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => instant(Date.now()),
  // `node:timers/promises` is not used, because creating its abort error is slower than the rest of a sleep.
  sleep: async (milliseconds, signal) => {
    signal?.throwIfAborted();
    await new Promise<void>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const wait = (left: number): void => {
        timer = setTimeout(() => (left > MAX_TIMER ? wait(left - MAX_TIMER) : end()), Math.min(left, MAX_TIMER));
      };
      signal?.addEventListener('abort', end);
      wait(milliseconds);
    });
    signal?.throwIfAborted();
  },
};
