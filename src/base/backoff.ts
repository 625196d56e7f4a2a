/** Waits that grow with failures in a row, and a rate that each 429 halves and that recovers linearly. It is pure. */
import { SECOND, type Instant } from './clock.js';

/** This is how long to wait between tries that fail, in ms. */
export interface Backoff {
  readonly first: number;
  readonly most: number;
}

/** The first wait after one failure, doubled with each further one in a row. */
export const backoff = ({ first, most }: Backoff, failures: number): number => Math.min(most, first * 2 ** (Math.max(1, failures) - 1));

/** Half of a wait to all of it, so that what failed together is not tried again together. `random` is from 0 to 1. */
export const jittered = (wait: number, random: number): number => wait * (0.5 + random / 2);

export interface Pace {
  /** The rate is multiplied by this since the last 429. */
  readonly factor: number;
  readonly slowedAt?: Instant;
}

export const FULL: Pace = { factor: 1 };

export const SLOWEST = 1 / 16;
/** Concurrent refusals count as one. */
const ONE_REFUSAL = SECOND;

/** The result is from `SLOWEST` to 1, and the whole rate would grow back in `recovery` milliseconds. */
export function paceAt({ factor, slowedAt }: Pace, now: Instant, recovery: number): number {
  if (slowedAt === undefined) return 1;
  return Math.min(1, factor + Math.max(0, now - slowedAt) / recovery);
}

export function slowed(pace: Pace, now: Instant, recovery: number): Pace {
  const { slowedAt } = pace;
  if (slowedAt !== undefined && now >= slowedAt && now - slowedAt < ONE_REFUSAL) return pace;
  return { factor: Math.max(SLOWEST, paceAt(pace, now, recovery) / 2), slowedAt: now };
}
