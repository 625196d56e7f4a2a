/** Computes the month of a plan: when it begins, how fast its requests go, and how they are divided. It is pure. */
import { DateTime } from 'luxon';
import { DAY, HOUR, instant } from '../base/clock.js';
import type { Instant } from '../domain/scalars.js';

/** A period lasts from one reset day to the next, in UTC. */
export interface Period {
  /** `2026-11`, or `2026-11-15` if it does not begin on the first. */
  readonly key: string;
  readonly start: Instant;
  /** The end is exclusive. */
  readonly end: Instant;
}

/** `resetDay` is 1 to 28. */
export function periodOf(at: Instant, resetDay: number): Period {
  const now = DateTime.fromMillis(at, { zone: 'utc' });
  const reset = now.startOf('month').set({ day: resetDay });
  const start = reset > now ? reset.minus({ months: 1 }) : reset;
  return {
    key: start.toFormat(resetDay === 1 ? 'yyyy-MM' : 'yyyy-MM-dd'),
    start: instant(start.toMillis()),
    end: instant(start.plus({ months: 1 }).toMillis()),
  };
}

export function periodNamed(key: string): Pick<Period, 'start' | 'end'> | undefined {
  const start = DateTime.fromISO(key, { zone: 'utc' });
  return start.isValid ? { start: instant(start.toMillis()), end: instant(start.plus({ months: 1 }).toMillis()) } : undefined;
}

export const dayOf = (at: Instant): string => DateTime.fromMillis(at, { zone: 'utc' }).toFormat('yyyy-MM-dd');

const WHOLE_DAYS = 3;
const MIN_SPAN = 12 * HOUR;

/** The recent rate of requests, over three whole days and today. Days are `2026-11-23`. */
export function callsPerDay(days: Readonly<Record<string, number>>, now: Instant): number | undefined {
  const earliest = Math.floor(now / DAY) * DAY - WHOLE_DAYS * DAY;
  const recent = Object.entries(days).flatMap(([day, calls]) => {
    const at = Date.parse(`${day}T00:00:00Z`);
    return at >= earliest && at <= now ? [{ at, calls }] : [];
  });
  const span = now - Math.min(...recent.map(({ at }) => at));
  return recent.length === 0 || span < MIN_SPAN ? undefined : (recent.reduce((total, { calls }) => total + calls, 0) / span) * DAY;
}

/** The part of the monthly budget that is kept for questions. It shrinks towards the period's end. */
const QUESTION_SHARE = 0.2;

interface ShareState {
  readonly limit: number;
  readonly used: number;
  readonly start: Instant;
  readonly end: Instant;
  readonly now: Instant;
}

export function reservedFor({ limit, used, start, end, now }: ShareState): number {
  const leftPart = Math.min(1, Math.max(0, (end - now) / (end - start)));
  return Math.min(Math.max(0, limit - used), Math.ceil(limit * QUESTION_SHARE * leftPart));
}

export const leftForChecks = (state: ShareState): number => Math.max(0, state.limit - state.used - reservedFor(state));
