/** Retries calls, and follows a chat that moved. */
import { SECOND, type Clock } from '../../base/clock.js';
import type { ChatEvent } from '../../chat/platform.js';
import { addressOf, placeOf, type ChatTopic } from './address.js';
import { outcomeOf } from './outcome.js';

const MAX_TRIES = 3;
const MIN_WAIT = 2 * SECOND;
const MAX_WAIT = 30 * SECOND;

export interface Retrying {
  at(): ChatTopic;
  /** `again`: a repeat is harmless. Rejects with the last error. */
  retry<T>(again: boolean, work: () => Promise<T>): Promise<T>;
}

export function retrying(
  { clock, report }: { readonly clock: Clock; readonly report: (event: ChatEvent) => void },
  { place, signal }: { readonly place: ChatTopic; readonly signal: AbortSignal },
): Retrying {
  let at = place;
  return {
    at: () => at,
    async retry(again, work) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await work();
        } catch (error) {
          const outcome = outcomeOf(error, addressOf(at));
          if (tries >= MAX_TRIES) throw error;
          if (outcome.kind === 'moved') {
            const next = placeOf(outcome.to) ?? at;
            report({ kind: 'moved', from: addressOf({ chat: at.chat }), to: addressOf({ chat: next.chat }) });
            at = next;
            continue;
          }
          const isOver = outcome.kind !== 'later' && !(again && outcome.kind === 'unclear');
          const wait = outcome.kind === 'later' && outcome.afterMs !== undefined ? outcome.afterMs : MIN_WAIT * tries;
          if (isOver || wait > MAX_WAIT) throw error;
          await clock.sleep(wait, signal);
        }
      }
    },
  };
}
