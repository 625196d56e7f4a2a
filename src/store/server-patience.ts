/** Repeats for a short time what a database server did not answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { backoff } from '../base/backoff.js';
import { StoreError, type StoreTrouble } from './store.js';

export interface ServerOptions {
  /** This is how long a call waits for a server that is away. The default is 5,000. */
  readonly serverWaitMs?: number;
  /** Gets the time that the server shows with its replies, in Unix milliseconds. */
  readonly onTime?: ((serverMs: number) => void) | undefined;
}

export const DEFAULT_SERVER_WAIT_MS = 5_000;

/** This is how long to wait while the server has not been reached. */
const AWAY_WAIT_MS = 1_000;

/** A gap longer than this between two moments of reading means that this process, not the server, was late. */
const OWN_DELAY_MS = 500;
const WATCH_MS = 100;

const PAUSE = { first: 50, most: 500 };

const PASSING: ReadonlySet<StoreTrouble> = new Set(['unreachable', 'locked']);

/** `work` gets the milliseconds left, and the number of the attempt. */
export type Patience = <T>(work: (leftMs: number, attempt: number) => Promise<T>) => Promise<T>;

/** `maxWaitMs`: for a server that is away. */
export function openPatience(maxWaitMs: number): Patience {
  let isAway = false;
  return async (work) => {
    let end = performance.now() + (isAway ? Math.min(AWAY_WAIT_MS, maxWaitMs) : maxWaitMs);
    for (let attempt = 0; ; attempt += 1) {
      const pause = backoff(PAUSE, attempt + 1);
      const delay = watchOwnDelay();
      try {
        const result = await work(Math.max(1, end - performance.now()), attempt).finally(delay.end);
        isAway = false;
        return result;
      } catch (error) {
        const isPassing = error instanceof StoreError && PASSING.has(error.trouble);
        // This process was paused or busy, so the server did not have the time.
        if (attempt === 0 && delay.longestMs() > OWN_DELAY_MS) end = performance.now() + maxWaitMs;
        if (!isPassing || performance.now() + pause >= end) {
          isAway = isPassing;
          throw error;
        }
        await sleep(pause);
      }
    }
  };
}

/** The process could not read answers in time because it was busy or paused. */
function watchOwnDelay(): { readonly end: () => void; readonly longestMs: () => number } {
  let last = performance.now();
  let longest = 0;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - WATCH_MS);
    last = now;
  };
  const timer = setInterval(look, WATCH_MS).unref();
  const end = (): void => {
    clearInterval(timer);
    look();
  };
  return { end, longestMs: () => longest };
}
