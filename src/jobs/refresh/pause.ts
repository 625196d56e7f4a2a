/** How long nothing is asked for. Instants count from when an answer arrived and are rounded up: a moment too early would be refused again. Pure. */
import { HOUR, instant, MINUTE, SECOND, type Instant } from '../../base/clock.js';

/** A hundred years; what is longer is a mistake, and must stay a moment that a calendar knows. */
const LONGEST = 36_525 * 24 * HOUR;

/** The whole second at which so many seconds from `at` are over for certain; undefined where there is nothing to wait for. */
export function pauseUntil(seconds: number | undefined, at: Instant): Instant | undefined {
  if (seconds === undefined || !(seconds > 0)) return undefined;
  return roundedUp(instant(at + Math.min(Math.ceil(seconds) * SECOND, LONGEST)));
}

export const roundedUp = (at: Instant): Instant => instant(Math.ceil(at / SECOND) * SECOND);

const FIRST = 15 * MINUTE;
const MOST = 6 * HOUR;

/** After so many failures in a row: a quarter of an hour, doubled each time, at most six hours. */
export const failurePause = (failures: number): number => Math.min(MOST, FIRST * 2 ** Math.max(0, failures - 1));

const FIRST_CHECK = 3 * SECOND;
const SLOWEST_CHECK = 30 * SECOND;

/** Between two questions how a job is: short at first, because most are short. */
export const checkPause = (checks: number): number => Math.min(SLOWEST_CHECK, Math.round(FIRST_CHECK * 1.5 ** checks));

const FIRST_RETRY = 30 * SECOND;

/** After so many requests in a row that were not answered. */
export const retryPause = (tries: number): number => Math.min(FIRST, FIRST_RETRY * 2 ** Math.max(0, tries - 1));
