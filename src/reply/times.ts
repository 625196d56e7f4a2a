/** Reads moments that a person types, and writes moments in the timezone of a chat. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Instant } from '../domain/scalars.js';
import { instant } from '../base/clock.js';
import { isOld, type BlockDraft } from '../chat/reply.js';
import { UserError } from './errors.js';
import { line } from './blocks.js';

const FORMATS = ['H:mm', 'H.mm', 'H', 'h:mma', 'ha', 'h:mm a', 'h a'] as const;

/** Reads "9", "9:30", and "9 pm" as "21:00"; 24:00 is 00:00. The text is in lower case. */
export function readClockTime(text: string): string | undefined {
  if (text === '24:00' || text === '24') return '00:00';
  const read = FORMATS.map((format) => DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en-US' })).find(({ isValid }) => isValid);
  return read?.toFormat('HH:mm');
}

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

const FORM = /^\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}(:\d{2})?[Zz]?)?$/;

const readIn = (text: string, zone = 'utc'): DateTime => DateTime.fromISO(text.toUpperCase(), { zone });

export const pastOption = z
  .string()
  .regex(FORM)
  .refine((text) => readIn(text).isValid, 'no such day or time')
  .optional()
  .describe('past date or time, like 2026-11-01 or 2026-11-01T14:00');

/** Reads it in the chat's timezone, unless it ends with "Z". A day means its end, today means now. Throws a `UserError` for the future. */
export function pastMoment(
  text: string | undefined,
  { now, zone }: { readonly now: Instant; readonly zone: string | undefined },
): Instant | undefined {
  if (text === undefined) return undefined;
  const at = readIn(text, zone);
  if (at.toMillis() > now) throw new UserError("That's in the future. Enter a past date or time, like 2026-11-01.");
  const ends = text.includes(':') ? at : at.endOf('day').startOf('second');
  return instant(Math.min(ends.toMillis(), now));
}

export const earlierSnapshot = (snapshotAt: Instant | undefined, requested: Instant): readonly BlockDraft[] =>
  snapshotAt !== undefined && isOld(snapshotAt, requested)
    ? [line('⚠ Closest earlier snapshot: ', { at: snapshotAt, exact: true }, '.')]
    : [];

export const isoText = (at: Instant): string => new Date(Math.floor(at / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');
