/** Each 429 halves the rate; it recovers linearly. It is pure. */
import { SECOND, type Instant } from './clock.js';

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
