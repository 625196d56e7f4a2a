/**
 * A time in which nothing could be posted in a chat, because the bot was removed, blocked, or lost the channel. The chat keeps its watchlist and its
 * watermarks meanwhile (decision 15). Pure.
 */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Member } from '../queue/queue.js';

/** What a chat's document says of it. */
interface Chat {
  readonly absence?: Absence | undefined;
}

export const absenceSchema = z.object({ from: instantSchema, to: instantSchema });
export type Absence = z.infer<typeof absenceSchema>;

/** A stay that is shorter does not end an absence: there was hardly time to catch up. */
const SHORTEST_STAY = 30 * MINUTE;

/** The absence that began then and ends now, joined with the one before it where the stay between was too short. */
export function endedNow(before: Absence | undefined, began: Instant, now: Instant): Absence {
  const goesOn = before !== undefined && began >= before.to && began - before.to < SHORTEST_STAY;
  return { from: goesOn ? before.from : began, to: now };
}

/** The last absence of a chat. One that ends in the future ended before the clock was set back, and counts for nothing. */
export const lastAbsence = ({ absence }: Chat, now: Instant): Absence | undefined =>
  absence !== undefined && absence.to <= now ? absence : undefined;

/** Whether what is checked now was checked last before the chat came back: then it may have changed during the absence. */
export function absenceBehind(chat: Chat, checkedAt: Instant | undefined, now: Instant): Absence | undefined {
  const absence = lastAbsence(chat, now);
  return absence !== undefined && checkedAt !== undefined && checkedAt <= absence.to ? absence : undefined;
}

/** That an event comes late in this chat, since the check that found it is the first since the chat came back. */
export function lateAfterAbsence(chat: Chat, checkedAt: Instant | undefined, now: Instant): Member['late'] {
  const absence = absenceBehind(chat, checkedAt, now);
  return absence && { because: 'absence', since: absence.from };
}
