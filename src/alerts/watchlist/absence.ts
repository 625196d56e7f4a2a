/** This module records absences, in which the bot cannot post in a chat (decision 15), and indexes them for many chats. */
import { z } from 'zod';
import { DAY, MINUTE, type Instant } from '../../base/clock.js';
import { instantSchema } from '../../domain/scalars.js';
import { firstWhere } from '../../base/bisect.js';
import type { Address } from '../../chat/address.js';

interface Chat {
  readonly absence?: Absence | undefined;
}

/** Why an alert is late. */
export const lateSchema = z.object({
  /** `absence` means that the bot was away from this chat. */
  because: z.enum(['service', 'bot', 'absence']),
  since: instantSchema,
});
type Late = z.infer<typeof lateSchema>;

export const absenceSchema = z.object({ from: instantSchema, to: instantSchema });
export type Absence = z.infer<typeof absenceSchema>;

/** Time after which an absent chat's watchlist is deleted. */
export const MAX_ABSENCE = 30 * DAY;

/** Two absences with a shorter stay between them are joined. */
const MIN_STAY = 30 * MINUTE;

/** Returns the absence that ends now, joined with the previous one after a short stay. */
export function endedNow(before: Absence | undefined, began: Instant, now: Instant): Absence {
  const goesOn = before !== undefined && began >= before.to && began - before.to < MIN_STAY;
  return { from: goesOn ? before.from : began, to: now };
}

/** Returns the last absence. One that ends in the future was stored before the clock was set back and is ignored. */
export const lastAbsence = ({ absence }: Chat, now: Instant): Absence | undefined =>
  absence !== undefined && absence.to <= now ? absence : undefined;

/** Returns the last absence if the subject was not checked after it, or else undefined. */
export function absenceBehind(chat: Chat, checkedAt: Instant | undefined, now: Instant): Absence | undefined {
  const absence = lastAbsence(chat, now);
  return absence !== undefined && checkedAt !== undefined && checkedAt <= absence.to ? absence : undefined;
}

export function lateAfterAbsence(chat: Chat, checkedAt: Instant | undefined, now: Instant): Late | undefined {
  const absence = absenceBehind(chat, checkedAt, now);
  return absence && { because: 'absence', since: absence.from };
}

interface Ended {
  readonly chat: Address;
  readonly absence: Absence;
}

/** The absences of many chats, in the order of their ends. */
export class Absences {
  readonly #ended: Ended[] = [];

  add(chat: Address, absence: Absence): void {
    this.#ended.splice(this.#firstFrom(absence.to), 0, { chat, absence });
  }

  delete(chat: Address, { to }: Absence): void {
    const ended = this.#ended;
    for (let index = this.#firstFrom(to); ended[index]?.absence.to === to; index += 1) {
      if (ended[index]?.chat !== chat) continue;
      ended.splice(index, 1);
      return;
    }
  }

  *latestFirst(): Iterable<Ended> {
    for (let index = this.#ended.length - 1; index >= 0; index -= 1) {
      const ended = this.#ended[index];
      if (ended !== undefined) yield ended;
    }
  }

  /** Returns the absences that ended between `from` and `to`, both included. */
  endedWithin(from: Instant, to: Instant): readonly Absence[] {
    const within: Absence[] = [];
    for (let index = this.#firstFrom(from); index < this.#ended.length; index += 1) {
      const absence = this.#ended[index]?.absence;
      if (absence !== undefined && absence.to <= to) within.push(absence);
    }
    return within;
  }

  #firstFrom(at: Instant): number {
    return firstWhere(this.#ended, ({ absence }) => absence.to >= at);
  }
}
