/** Chats whose states changed in memory only, and the watermarks that wait for them. */
import { yieldToEventLoop } from '../../base/yield.js';
import type { Address } from '../../chat/address.js';

export interface DeferredStates {
  add(address: Address, from: string): void;
  has(address: Address): boolean;
  /** For the holder of the address's lane. */
  written(address: Address): void;
  isUnsettled(from: string): boolean;
  /** Writes all; with `from` only if it is unsettled. What fails stays deferred, and rejects. */
  settle(from?: string): Promise<void>;
}

const AT_ONCE = 200;

export function createDeferredStates(write: (address: Address) => Promise<void>): DeferredStates {
  const waiting = new Set<Address>();
  const sources = new Map<string, number>();
  let changes = 0;
  let last: Promise<void> = Promise.resolve();

  const writeAll = async (): Promise<void> => {
    const settling = new Map(sources);
    const all = [...waiting];
    for (let start = 0; start < all.length; start += AT_ONCE) {
      if (start > 0) await yieldToEventLoop();
      const ends = await Promise.allSettled(all.slice(start, start + AT_ONCE).map(write));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    }
    // One that changed meanwhile is not settled.
    for (const [from, change] of settling) if (sources.get(from) === change) sources.delete(from);
  };
  return {
    add(address, from) {
      waiting.add(address);
      sources.set(from, (changes += 1));
    },
    has: (address) => waiting.has(address),
    written: (address) => void waiting.delete(address),
    isUnsettled: (from) => sources.has(from),
    async settle(from) {
      if (from !== undefined && !sources.has(from)) return;
      const before = last.catch(() => {});
      last = before.then(writeAll);
      await last;
    },
  };
}
