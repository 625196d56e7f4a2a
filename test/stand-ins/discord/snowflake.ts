/** Ids as the platform makes them: the moment since 2015 in milliseconds, 22 bits up, and a counter below, so that they sort by time. */
import type { Clock } from '../../../src/base/clock.js';
import type { Id } from './types.js';

const EPOCH = 1_420_070_400_000n;

export function snowflakes(clock: Clock): () => Id {
  let last = 0n;
  return () => {
    const next = (BigInt(clock.now()) - EPOCH) << 22n;
    last = next > last ? next : last + 1n;
    return last.toString();
  };
}

/** The moment inside an id, in Unix milliseconds. */
export const momentOf = (id: Id): number => Number((BigInt(id) >> 22n) + EPOCH);
