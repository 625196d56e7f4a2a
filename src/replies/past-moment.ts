/** Past moments: the end of a day, or a time. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { instant } from '../base/clock.js';
import { isOld, type BlockDraft } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';
import { UserError } from './user-error.js';
import { line } from './blocks.js';

const FORM = /^\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}(:\d{2})?[Zz]?)?$/;

const readIn = (text: string, zone = 'utc'): DateTime => DateTime.fromISO(text.toUpperCase(), { zone });

export const pastOption = z
  .string()
  .regex(FORM)
  .refine((text) => readIn(text).isValid, 'no such day or time')
  .optional()
  .describe('past date or time, like 2026-11-01 or 2026-11-01T14:00');

/** In the chat's timezone, unless it ends with "Z". A day means its end, today means now. Throws a `UserError` for the future. */
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
