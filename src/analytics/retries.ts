/** Retries of idempotent requests within a deadline. */
import pRetry from 'p-retry';
import { backoff, jittered } from '../base/backoff.js';
import { SECOND, type Clock } from '../base/clock.js';
import type { Instant } from '../domain/scalars.js';
import type { Interpretation } from './interpret-response.js';
import type { Priority } from './rate-limiter.js';

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

/** Attempts of one call, also of one whose requests never reach the service. */
export const MAX_ATTEMPTS = 3;

/** Requests a month from which on that many attempts may be counted. A retry takes a part of a day's requests. */
const LARGE_PLAN = 30_000;
const MEDIUM_PLAN = 3_000;

/** This is how many attempts of one call may count against the monthly limit. A check comes again anyway, a question does not. */
export function countedAttempts(limit: number | undefined, priority: Priority): number {
  if (limit === undefined || limit >= LARGE_PLAN) return MAX_ATTEMPTS;
  return limit >= MEDIUM_PLAN || priority === 'question' ? 2 : 1;
}

const WAIT = { first: 0.5 * SECOND, most: 2 * SECOND };

/** The wait is in milliseconds. */
export const retryWait = (attempt: number, random: () => number): number => Math.round(jittered(backoff(WAIT, attempt), random()));
