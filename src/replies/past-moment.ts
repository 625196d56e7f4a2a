/** Past moments: the end of a UTC day, or a UTC time. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { instant } from '../base/clock.js';
import { isOld, type BlockDraft } from '../chat/reply.js';
import { clockTime } from '../domain/format.js';
import type { Instant } from '../domain/scalars.js';
import { UserError } from './user-error.js';
import { line } from './blocks.js';

const FORM = /^\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}(:\d{2})?[Zz]?)?$/;

interface Named {
  readonly begins: Instant;
  readonly ends: Instant;
}

export const pastOption = z
  .string()
  .regex(FORM)
  .transform((text, context): Named => {
    const at = DateTime.fromISO(text.toUpperCase(), { zone: 'utc' });
    if (!at.isValid) {
      context.addIssue('no such day or time');
      return z.NEVER;
    }
    const ends = text.includes(':') ? at : at.endOf('day').startOf('second');
    return { begins: instant(at.toMillis()), ends: instant(ends.toMillis()) };
  })
  .optional()
  .describe('past date or time in UTC, like 2026-11-01 or 2026-11-01T14:00Z');

/** Today means now. Throws a `UserError` for the future. */
export function pastMoment(named: Named | undefined, now: Instant): Instant | undefined {
  if (named === undefined) return undefined;
  if (named.begins > now) throw new UserError("That's in the future. Enter a past date or time in UTC, like 2026-11-01.");
  return instant(Math.min(named.ends, now));
}

export const earlierSnapshot = (
  snapshotAt: Instant | undefined,
  { requested, now }: { requested: Instant; now: Instant },
): readonly BlockDraft[] =>
  snapshotAt !== undefined && isOld(snapshotAt, requested) ? [line(`⚠ Closest earlier snapshot: ${clockTime(snapshotAt, now)}.`)] : [];

export const isoText = (at: Instant): string => new Date(Math.floor(at / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');
