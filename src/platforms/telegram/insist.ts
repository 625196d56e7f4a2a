/** Sends again what is worth it, and follows a chat that moved. */
import { SECOND, type Clock } from '../../base/clock.js';
import type { ChatEvent } from '../../chat/platform.js';
import { addressOf, placeOf, type Place } from './address.js';
import { outcomeOf } from './outcome.js';

const MOST_TRIES = 3;
const FIRST_WAIT = 2 * SECOND;
/** Nobody reads an answer that comes later. */
const LONGEST_WAIT = 30 * SECOND;

export interface Insistent {
  /** Where the chat is now. */
  at(): Place;
  /** `again`: whether doing it twice does no harm. Rejects with the last error. */
  insist<T>(again: boolean, work: () => Promise<T>): Promise<T>;
}

export function insistent(
  { clock, tell }: { readonly clock: Clock; readonly tell: (news: ChatEvent) => void },
  { place, signal }: { readonly place: Place; readonly signal: AbortSignal },
): Insistent {
  let at = place;
  return {
    at: () => at,
    async insist(again, work) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await work();
        } catch (error) {
          const outcome = outcomeOf(error, addressOf(at));
          if (tries >= MOST_TRIES) throw error;
          if (outcome.kind === 'moved') {
            const next = placeOf(outcome.to) ?? at;
            tell({ kind: 'moved', from: addressOf({ chat: at.chat }), to: addressOf({ chat: next.chat }) });
            at = next;
            continue;
          }
          const isOver = outcome.kind !== 'later' && !(again && outcome.kind === 'unclear');
          const wait = outcome.kind === 'later' && outcome.afterMs !== undefined ? outcome.afterMs : FIRST_WAIT * tries;
          if (isOver || wait > LONGEST_WAIT) throw error;
          await clock.sleep(wait, signal);
        }
      }
    },
  };
}
