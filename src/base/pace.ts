/** How fast something is asked: the configured pace, halved by each refusal for asking too fast, and growing back on its own. Pure. */
import { MINUTE, SECOND, type Instant } from './clock.js';

export interface Pace {
  /** The part of the configured pace that was left when the service last asked for a pause. */
  readonly factor: number;
  /** When that was; absent: never. */
  readonly slowedAt?: Instant;
}

export const FULL: Pace = { factor: 1 };

/** Never slower than this part: a service that means "never" refuses in other ways. */
export const SLOWEST = 1 / 16;
/** From nothing to the whole pace it takes so long without another refusal: added a little at a time, so it meets the limit gently. */
export const RECOVERY = 10 * MINUTE;
/** Requests that were under way together are refused together; that is one refusal. */
const ONE_REFUSAL = SECOND;

/** The part of the configured pace that holds at `now`, between `SLOWEST` and 1. */
export function paceAt({ factor, slowedAt }: Pace, now: Instant): number {
  if (slowedAt === undefined) return 1;
  return Math.min(1, factor + Math.max(0, now - slowedAt) / RECOVERY);
}

/** After a 429: half of what held. */
export function slowed(pace: Pace, now: Instant): Pace {
  const { slowedAt } = pace;
  if (slowedAt !== undefined && now >= slowedAt && now - slowedAt < ONE_REFUSAL) return pace;
  return { factor: Math.max(SLOWEST, paceAt(pace, now) / 2), slowedAt: now };
}
