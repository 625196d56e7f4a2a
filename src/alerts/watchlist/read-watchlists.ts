/** This module reads watchlists in a process that does not write them. A chat is as of its last `fetch`. */
import { RecentMap } from '../../base/bounded-cache.js';
import { lanes } from '../../base/lanes.js';
import type { Address } from '../../chat/address.js';
import type { Collection, Store } from '../../store/store.js';
import { chatCollection, type Chat, type CommandWatchlists } from './watchlists.js';

/** The chats fetched last are kept. */
const MAX_CHATS = 1_000;

/** Reads the watchlists that a question is about. What would need the active process throws the error of `refused`. */
export class ReadWatchlists implements CommandWatchlists {
  readonly #documents: Collection<Chat>;
  readonly #refused: () => Error;
  readonly #known = new RecentMap<Address, ReadonlyMap<Address, Chat>>(MAX_CHATS);
  readonly #reading = lanes();

  constructor(store: Store, refused: () => Error) {
    this.#documents = chatCollection(store);
    this.#refused = refused;
  }

  /** Reads of one chat run in order, so that an older result never replaces a newer one. */
  async fetch(address: Address): Promise<void> {
    await this.#reading.run(address, async () => {
      const [own, { found }] = await Promise.all([this.#documents.get(address), this.#documents.list(`${address}/`)]);
      const chats = [...(own === undefined ? [] : [own]), ...found.map(([, chat]) => chat)];
      this.#known.set(address, new Map(chats.map((chat) => [chat.address, chat])));
    });
  }

  read(address: Address): Chat {
    const own = this.#known.get(address)?.get(address);
    if (own !== undefined) return own;
    for (const chats of this.#known.values()) {
      const chat = chats.get(address);
      if (chat !== undefined) return chat;
    }
    return { address, entries: [] };
  }

  under(address: Address): readonly Address[] {
    return [...(this.#known.get(address)?.keys() ?? [])];
  }

  compact(): never {
    throw this.#refused();
  }

  addresses(): never {
    throw this.#refused();
  }

  formerly(): never {
    throw this.#refused();
  }

  async change(): Promise<never> {
    throw this.#refused();
  }
}
