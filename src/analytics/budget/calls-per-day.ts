/** The recent rate of requests. Pure. */
import { DAY, HOUR } from '../../base/clock.js';
import type { Instant } from '../../domain/scalars.js';

const WHOLE_DAYS = 3;
const MIN_SPAN = 12 * HOUR;

/** Over three whole days and today. Days are `2026-11-23`. */
export function callsPerDay(days: Readonly<Record<string, number>>, now: Instant): number | undefined {
  const earliest = Math.floor(now / DAY) * DAY - WHOLE_DAYS * DAY;
  const recent = Object.entries(days).flatMap(([day, calls]) => {
    const at = Date.parse(`${day}T00:00:00Z`);
    return at >= earliest && at <= now ? [{ at, calls }] : [];
  });
  const span = now - Math.min(...recent.map(({ at }) => at));
  return recent.length === 0 || span < MIN_SPAN ? undefined : (recent.reduce((total, { calls }) => total + calls, 0) / span) * DAY;
}
