/** Retries of idempotent requests within a deadline. */
import pRetry from 'p-retry';
import { SECOND, type Clock } from '../base/clock.js';
import type { Instant } from '../domain/scalars.js';
import type { Interpretation } from './interpret-response.js';

export interface AttemptOptions {
  readonly clock: Clock;
  readonly most: number;
  /** The latest deadline of its callers; bounds every wait. */
  readonly by: () => Instant;
  readonly signal: AbortSignal;
  readonly once: (attempt: number) => Promise<Interpretation>;
}

/** Rejects with the last error or the signal's reason. */
export async function attempts({ clock, most, by, signal, once }: AttemptOptions): Promise<string> {
  let next: { again: boolean; wait: number } = { again: false, wait: 0 };
  return pRetry(
    async (attempt) => {
      next = { again: false, wait: 0 };
      const verdict = await once(attempt);
      if (verdict.kind === 'good') return verdict.text;
      next = verdict;
      throw verdict.error;
    },
    {
      retries: most - 1,
      signal,
      // Waiting is done below, on the clock port.
      minTimeout: 0,
      factor: 1,
      shouldRetry: async () => {
        if (!next.again || clock.now() + next.wait >= by()) return false;
        await clock.sleep(next.wait, signal);
        return true;
      },
    },
  );
}

const FIRST_BACKOFF = 0.5 * SECOND;

/** Milliseconds, with jitter from half to all of it. */
export const backoff = (attempt: number, random: () => number): number =>
  Math.round(FIRST_BACKOFF * 2 ** (attempt - 1) * (0.5 + random() / 2));
