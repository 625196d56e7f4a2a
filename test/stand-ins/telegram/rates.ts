/** Flood limits. The platform publishes none exactly; these are the usual advice, with the short bursts it is known to bear. */
import type { Clock } from '../../../src/base/clock.js';

/** So many messages in so many milliseconds. */
interface Window {
  readonly most: number;
  readonly within: number;
}

/** About one a second, three at once. */
const PER_PERSON: Window = { most: 3, within: 3_000 };
const PER_GROUP: Window = { most: 20, within: 60_000 };
const OVERALL: Window = { most: 30, within: 1_000 };

export interface Rates {
  on: boolean;
  /** Counts a message to a chat; returns the seconds to wait when it is one too many (it is not counted then). */
  spend(chat: number): number | undefined;
}

export function createRates(clock: Clock, on: boolean): Rates {
  const sent = new Map<number | 'all', number[]>();
  const wait = (key: number | 'all', { most, within }: Window): number => {
    const recent = (sent.get(key) ?? []).filter((at) => at > clock.now() - within);
    sent.set(key, recent);
    const first = recent[recent.length - most];
    return first === undefined ? 0 : Math.max(1, Math.ceil((first + within - clock.now()) / 1_000));
  };
  return {
    on,
    spend(chat) {
      const seconds = Math.max(wait('all', OVERALL), wait(chat, chat < 0 ? PER_GROUP : PER_PERSON));
      if (seconds > 0) return seconds;
      for (const key of ['all', chat] as const) sent.get(key)?.push(clock.now());
      return undefined;
    },
  };
}
