/** Absences of many chats, ordered by end. */
import { firstWhere } from '../../base/bisect.js';
import type { Instant } from '../../base/clock.js';
import type { Address } from '../../chat/address.js';
import type { Absence } from './absence.js';

interface Ended {
  readonly chat: Address;
  readonly absence: Absence;
}

export interface Absences {
  add(chat: Address, absence: Absence): void;
  delete(chat: Address, absence: Absence): void;
  latestFirst(): Iterable<Ended>;
  /** Both included. */
  endedWithin(from: Instant, to: Instant): readonly Absence[];
}

export function createAbsences(): Absences {
  const ended: Ended[] = [];
  const firstFrom = (at: Instant): number => firstWhere(ended, ({ absence }) => absence.to >= at);
  function* latestFirst(): Iterable<Ended> {
    for (let index = ended.length - 1; index >= 0; index -= 1) {
      const one = ended[index];
      if (one !== undefined) yield one;
    }
  }
  return {
    add: (chat, absence) => void ended.splice(firstFrom(absence.to), 0, { chat, absence }),
    delete(chat, { to }) {
      for (let index = firstFrom(to); ended[index]?.absence.to === to; index += 1) {
        if (ended[index]?.chat !== chat) continue;
        ended.splice(index, 1);
        return;
      }
    },
    latestFirst,
    endedWithin(from, to) {
      const within: Absence[] = [];
      for (let index = firstFrom(from); index < ended.length; index += 1) {
        const absence = ended[index]?.absence;
        if (absence !== undefined && absence.to <= to) within.push(absence);
      }
      return within;
    },
  };
}
