/** Asking again, where that helps and there is time for it. Only for requests that change nothing. */
import pRetry from 'p-retry';
import { SECOND, type Clock } from '../base/clock.js';
import type { Instant } from '../domain/scalars.js';
import type { Verdict } from './verdict.js';

export interface AttemptOptions {
  readonly clock: Clock;
  /** The most attempts. */
  readonly most: number;
  /** When everyone who waits has given up; a wait that would end later is not begun. It may move while we wait. */
  readonly by: () => Instant;
  readonly signal: AbortSignal;
  /** One attempt, counted from 1. */
  readonly once: (attempt: number) => Promise<Verdict>;
}

/** The text of the answer; rejects with the last attempt's error, or with the signal's reason. */
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
      // The wait happens below, on our clock.
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

/** Doubles with each attempt; jittered between half and all of it, so that many clients do not return at once. */
export const backoff = (attempt: number, random: () => number): number =>
  Math.round(FIRST_BACKOFF * 2 ** (attempt - 1) * (0.5 + random() / 2));
