/** Billing month, from one reset day to the next, in UTC. Pure. */
import { DateTime } from 'luxon';
import { instant } from '../../base/clock.js';
import type { Instant } from '../../domain/scalars.js';

export interface Period {
  /** `2026-11`, or `2026-11-15` if it does not begin on the first. */
  readonly key: string;
  readonly start: Instant;
  /** Exclusive. */
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
