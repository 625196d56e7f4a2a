/** A period without posting in a chat (decision 15). Pure. */
import { z } from 'zod';
import { DAY, MINUTE } from '../../base/clock.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Member } from '../queue/queue.js';

interface Chat {
  readonly absence?: Absence | undefined;
}

export const absenceSchema = z.object({ from: instantSchema, to: instantSchema });
export type Absence = z.infer<typeof absenceSchema>;

/** Then the watchlist is deleted. */
export const MAX_ABSENCE = 30 * DAY;

/** A shorter stay joins two absences. */
const MIN_STAY = 30 * MINUTE;

/** Joined with the previous one after a short stay. */
export function endedNow(before: Absence | undefined, began: Instant, now: Instant): Absence {
  const goesOn = before !== undefined && began >= before.to && began - before.to < MIN_STAY;
  return { from: goesOn ? before.from : began, to: now };
}

/** A future end predates a clock set back. */
export const lastAbsence = ({ absence }: Chat, now: Instant): Absence | undefined =>
  absence !== undefined && absence.to <= now ? absence : undefined;

/** Undefined if the subject was checked since. */
export function absenceBehind(chat: Chat, checkedAt: Instant | undefined, now: Instant): Absence | undefined {
  const absence = lastAbsence(chat, now);
  return absence !== undefined && checkedAt !== undefined && checkedAt <= absence.to ? absence : undefined;
}

export function lateAfterAbsence(chat: Chat, checkedAt: Instant | undefined, now: Instant): Member['late'] {
  const absence = absenceBehind(chat, checkedAt, now);
  return absence && { because: 'absence', since: absence.from };
}
