/** Moments as the clock on the wall of a chat shows them. */
import { DateTime } from 'luxon';
import type { Chat } from '../alerts/watchlist/watchlists.js';
import type { Instant } from '../domain/scalars.js';

/** The timezone that a chat lives by. */
export const zoneOf = ({ timezone }: Pick<Chat, 'timezone'>): string => timezone ?? 'UTC';

/** "Etc/GMT-2" is two hours ahead of UTC, so it is shown as "UTC+2"; any other zone by its name. */
export function zoneName(zone: string): string {
  const [, sign, hours] = /^Etc\/GMT([-+])(\d{1,2})$/u.exec(zone) ?? [];
  if (hours !== undefined) return Number(hours) === 0 ? 'UTC' : `UTC${sign === '-' ? '+' : '−'}${hours}`;
  return zone.replaceAll('_', ' ');
}

/** "Tue 1 Dec 18:00, Europe/Berlin". */
export const wallTime = (moment: Instant, zone: string): string =>
  `${DateTime.fromMillis(moment, { zone, locale: 'en-GB' }).toFormat('ccc d LLL HH:mm')}, ${zoneName(zone)}`;
