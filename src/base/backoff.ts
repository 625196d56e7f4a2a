/** Computes waits that grow with failures in a row, and a rate that each 429 halves and that recovers linearly. Pure. */
import { SECOND, type Instant } from './clock.js';

/** The waits between failing attempts, in milliseconds. */
export interface Backoff {
  readonly first: number;
  readonly most: number;
}

/** Returns the wait after a number of failures in a row: `first` after one, doubled with each further one. */
export const backoff = ({ first, most }: Backoff, failures: number): number => Math.min(most, first * 2 ** (Math.max(1, failures) - 1));

/** Shortens a wait by up to half, so that attempts that failed together are not repeated together. `random` is from 0 to 1. */
export const jittered = (wait: number, random: number): number => wait * (0.5 + random / 2);

export interface Pace {
  /** The factor of the rate at the last 429. */
  readonly factor: number;
  readonly slowedAt?: Instant;
}

export const FULL: Pace = { factor: 1 };

export const SLOWEST = 1 / 16;
/** Refusals within this time count as one. */
const ONE_REFUSAL = SECOND;

/** Returns the factor of the rate, from `SLOWEST` to 1. It would grow from 0 to 1 in `recovery` milliseconds. */
export function paceAt({ factor, slowedAt }: Pace, now: Instant, recovery: number): number {
  if (slowedAt === undefined) return 1;
  return Math.min(1, factor + Math.max(0, now - slowedAt) / recovery);
}

export function slowed(pace: Pace, now: Instant, recovery: number): Pace {
  const { slowedAt } = pace;
  if (slowedAt !== undefined && now >= slowedAt && now - slowedAt < ONE_REFUSAL) return pace;
  return { factor: Math.max(SLOWEST, paceAt(pace, now, recovery) / 2), slowedAt: now };
}
