/** Waits between requests, rounded up. Pure. */
import { backoff } from '../../base/backoff.js';
import { HOUR, instant, MINUTE, SECOND, type Instant } from '../../base/clock.js';

/** A hundred years: still a valid date. */
const LONGEST = 36_525 * 24 * HOUR;

export function pauseUntil(seconds: number | undefined, at: Instant): Instant | undefined {
  if (seconds === undefined || !(seconds > 0)) return undefined;
  return roundedUp(instant(at + Math.min(Math.ceil(seconds) * SECOND, LONGEST)));
}

export const roundedUp = (at: Instant): Instant => instant(Math.ceil(at / SECOND) * SECOND);

const AFTER_FAILURE = { first: 15 * MINUTE, most: 6 * HOUR };

export const failurePause = (failures: number): number => backoff(AFTER_FAILURE, failures);

const FIRST_CHECK = 3 * SECOND;
const SLOWEST_CHECK = 30 * SECOND;

/** Most jobs are short. */
export const checkPause = (checks: number): number => Math.min(SLOWEST_CHECK, Math.round(FIRST_CHECK * 1.5 ** checks));

const RETRY = { first: 30 * SECOND, most: AFTER_FAILURE.first };

export const retryPause = (tries: number): number => backoff(RETRY, tries);
