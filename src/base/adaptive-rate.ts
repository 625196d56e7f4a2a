/** Each 429 halves the rate; it recovers linearly. Pure. */
import { MINUTE, SECOND, type Instant } from './clock.js';

export interface Pace {
  /** Of the configured rate, after the last 429. */
  readonly factor: number;
  readonly slowedAt?: Instant;
}

export const FULL: Pace = { factor: 1 };

export const SLOWEST = 1 / 16;
/** From zero to the full rate. */
export const RECOVERY = 10 * MINUTE;
/** Within this time refusals count as one: concurrent requests are refused together. */
const ONE_REFUSAL = SECOND;

/** From `SLOWEST` to 1, of the configured rate. */
export function paceAt({ factor, slowedAt }: Pace, now: Instant): number {
  if (slowedAt === undefined) return 1;
  return Math.min(1, factor + Math.max(0, now - slowedAt) / RECOVERY);
}

/** After a 429. */
export function slowed(pace: Pace, now: Instant): Pace {
  const { slowedAt } = pace;
  if (slowedAt !== undefined && now >= slowedAt && now - slowedAt < ONE_REFUSAL) return pace;
  return { factor: Math.max(SLOWEST, paceAt(pace, now) / 2), slowedAt: now };
}
