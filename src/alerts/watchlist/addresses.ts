/** This module finds the topics of a chat by its address: `telegram/-100` finds `telegram/-100/7`. */
import type { Address } from '../../chat/address.js';

export interface Addresses {
  add(address: Address): void;
  delete(address: Address): void;
  under(address: Address): readonly Address[];
}

export function createAddresses(): Addresses {
  const own = new Set<Address>();
  const topics = new Map<string, Set<Address>>();
  const add = (address: Address): void => {
    own.add(address);
    for (const above of placesAbove(address)) topics.set(above, (topics.get(above) ?? new Set()).add(address));
  };
  return {
    add,
    delete(address) {
      own.delete(address);
      for (const above of placesAbove(address)) {
        topics.get(above)?.delete(address);
        if (topics.get(above)?.size === 0) topics.delete(above);
      }
    },
    under: (address) => [...(own.has(address) ? [address] : []), ...(topics.get(address) ?? [])],
  };
}

/** Returns the addresses that contain this one. The platform alone is not an address. */
function placesAbove(address: Address): readonly string[] {
  const parts = address.split('/');
  return parts.slice(2).map((_, index) => parts.slice(0, index + 2).join('/'));
}
