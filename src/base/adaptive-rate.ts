/** Each 429 halves the rate; it recovers linearly. Pure. */
import { MINUTE, SECOND, type Instant } from './clock.js';

export interface Pace {
  /** Of the rate, after the last 429. */
  readonly factor: number;
  readonly slowedAt?: Instant;
}

export const FULL: Pace = { factor: 1 };

export const SLOWEST = 1 / 16;
export const RECOVERY = 10 * MINUTE;
/** Concurrent refusals count as one. */
const ONE_REFUSAL = SECOND;

/** `SLOWEST` to 1. */
export function paceAt({ factor, slowedAt }: Pace, now: Instant): number {
  if (slowedAt === undefined) return 1;
  return Math.min(1, factor + Math.max(0, now - slowedAt) / RECOVERY);
}

export function slowed(pace: Pace, now: Instant): Pace {
  const { slowedAt } = pace;
  if (slowedAt !== undefined && now >= slowedAt && now - slowedAt < ONE_REFUSAL) return pace;
  return { factor: Math.max(SLOWEST, paceAt(pace, now) / 2), slowedAt: now };
}
