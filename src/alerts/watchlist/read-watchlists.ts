/** This module reads watchlists in a process that does not write them. A chat is as of its last `fetch`. */
import { RecentMap } from '../../base/bounded-cache.js';
import { lanes } from '../../base/lanes.js';
import type { Address } from '../../chat/address.js';
import type { Store } from '../../store/store.js';
import type { Loading } from './loading.js';
import { chatCollection, type Chat, type Watchlists } from './watchlists.js';

/** The chats fetched last are kept. */
const MAX_CHATS = 1_000;

export interface ReadWatchlists extends Watchlists, Pick<Loading, 'fetch'> {}

/** Opens watchlists for reading. Other operations throw the error of `refused`. */
export function readWatchlists(store: Store, refused: () => Error): ReadWatchlists {
  const documents = chatCollection(store);
  const known = new RecentMap<Address, ReadonlyMap<Address, Chat>>(MAX_CHATS);
  const reading = lanes();
  const find = (address: Address): Chat | undefined => {
    const own = known.get(address)?.get(address);
    if (own !== undefined) return own;
    for (const chats of known.values()) {
      const chat = chats.get(address);
      if (chat !== undefined) return chat;
    }
    return undefined;
  };
  const refuse = (): never => {
    throw refused();
  };

  return {
    fetch: async (address) =>
      // Reads of one chat run in order, so that an older result never replaces a newer one.
      reading.run(address, async () => {
        const [own, { found }] = await Promise.all([documents.get(address), documents.list(`${address}/`)]);
        known.set(
          address,
          new Map([...(own === undefined ? [] : [own]), ...found.map(([, chat]) => chat)].map((chat) => [chat.address, chat])),
        );
      }),
    read: (address) => find(address) ?? { address, entries: [] },
    has: (address) => find(address) !== undefined,
    under: (address) => [...(known.get(address)?.keys() ?? [])],
    onChange: () => {},
    all: refuse,
    count: refuse,
    left: refuse,
    compact: refuse,
    evaluating: refuse,
    expand: refuse,
    readOnly: refuse,
    withDigest: refuse,
    withBoard: refuse,
    addresses: refuse,
    formerly: refuse,
    change: async () => refuse(),
    forget: async () => refuse(),
    get here() {
      return refuse();
    },
    get kept() {
      return refuse();
    },
  };
}
