/** Repeats for a short time what failed because a database server is away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError, type StoreTrouble } from './store.js';

export interface ServerOptions {
  /** How long a call waits for the server. Default 5,000: a server that restarts within this time costs no failed write. */
  readonly serverWaitMs?: number;
}

export const DEFAULT_SERVER_WAIT_MS = 5_000;

/** While it has not been reached, so that what waits fails soon. */
const AWAY_WAIT_MS = 1_000;

const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 500;

const PASSING: ReadonlySet<StoreTrouble> = new Set(['unreachable', 'locked']);

/** `work` gets the milliseconds that are left, and the number of the attempt. */
export type Patience = <T>(work: (leftMs: number, attempt: number) => Promise<T>) => Promise<T>;

/** `maxWaitMs`: how long a call waits for a server that is away. */
export function openPatience(maxWaitMs: number): Patience {
  let isAway = false;
  return async (work) => {
    const end = performance.now() + (isAway ? Math.min(AWAY_WAIT_MS, maxWaitMs) : maxWaitMs);
    for (let attempt = 0, pause = MIN_PAUSE_MS; ; attempt += 1, pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        const result = await work(Math.max(1, end - performance.now()), attempt);
        isAway = false;
        return result;
      } catch (error) {
        const isPassing = error instanceof StoreError && PASSING.has(error.trouble);
        if (!isPassing || performance.now() + pause >= end) {
          isAway = isPassing;
          throw error;
        }
        await sleep(pause);
      }
    }
  };
}
