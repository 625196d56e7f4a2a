/** Moments in the timezone of a chat. */
import { DateTime } from 'luxon';
import type { Instant } from '../domain/scalars.js';

export const zoneOf = ({ timezone }: { readonly timezone?: string | undefined }): string => timezone ?? 'UTC';

/** "Etc/GMT-2" is two hours ahead of UTC, so it is "UTC+2". */
export function zoneName(zone: string): string {
  const [, sign, hours] = /^Etc\/GMT([-+])(\d{1,2})$/u.exec(zone) ?? [];
  if (hours !== undefined) return Number(hours) === 0 ? 'UTC' : `UTC${sign === '-' ? '+' : '−'}${hours}`;
  return zone.replaceAll('_', ' ');
}

export const wallTime = (moment: Instant, zone: string): string =>
  `${DateTime.fromMillis(moment, { zone, locale: 'en-US' }).toFormat('ccc LLL d, HH:mm')}, ${zoneName(zone)}`;

export const quietText = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from}–${to}`;
