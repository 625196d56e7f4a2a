/** Waits between requests, rounded up. Pure. */
import { HOUR, instant, MINUTE, SECOND, type Instant } from '../../base/clock.js';

/** A hundred years: still a valid date. */
const LONGEST = 36_525 * 24 * HOUR;

export function pauseUntil(seconds: number | undefined, at: Instant): Instant | undefined {
  if (seconds === undefined || !(seconds > 0)) return undefined;
  return roundedUp(instant(at + Math.min(Math.ceil(seconds) * SECOND, LONGEST)));
}

export const roundedUp = (at: Instant): Instant => instant(Math.ceil(at / SECOND) * SECOND);

const FIRST = 15 * MINUTE;
const MAX_PAUSE = 6 * HOUR;

/** 15 minutes, doubled per failure, to 6 hours. */
export const failurePause = (failures: number): number => Math.min(MAX_PAUSE, FIRST * 2 ** Math.max(0, failures - 1));

const FIRST_CHECK = 3 * SECOND;
const SLOWEST_CHECK = 30 * SECOND;

/** Most jobs are short. */
export const checkPause = (checks: number): number => Math.min(SLOWEST_CHECK, Math.round(FIRST_CHECK * 1.5 ** checks));

const FIRST_RETRY = 30 * SECOND;

export const retryPause = (tries: number): number => Math.min(FIRST, FIRST_RETRY * 2 ** Math.max(0, tries - 1));
