/** Adaptive request rate: each 429 halves it, and it recovers linearly. Pure. */
import { MINUTE, SECOND, type Instant } from './clock.js';

export interface Pace {
  /** Fraction of the configured rate after the last 429. */
  readonly factor: number;
  /** When the last 429 arrived. */
  readonly slowedAt?: Instant;
}

export const FULL: Pace = { factor: 1 };

export const SLOWEST = 1 / 16;
/** Time to recover from zero to the full rate, in ms. */
export const RECOVERY = 10 * MINUTE;
/** Refusals within this time of each other count as one: concurrent requests are refused together. */
const ONE_REFUSAL = SECOND;

/** The fraction of the configured rate at `now`, from `SLOWEST` to 1. */
export function paceAt({ factor, slowedAt }: Pace, now: Instant): number {
  if (slowedAt === undefined) return 1;
  return Math.min(1, factor + Math.max(0, now - slowedAt) / RECOVERY);
}

/** The rate after a 429. */
export function slowed(pace: Pace, now: Instant): Pace {
  const { slowedAt } = pace;
  if (slowedAt !== undefined && now >= slowedAt && now - slowedAt < ONE_REFUSAL) return pace;
  return { factor: Math.max(SLOWEST, paceAt(pace, now) / 2), slowedAt: now };
}
