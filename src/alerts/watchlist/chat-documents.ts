/** This module holds one document for each chat: it loads all in the background, changes each one change at a time, and finds topics of a chat. */
import { lanes } from '../../base/lanes.js';
import { createListeners } from '../../base/when-ready.js';
import type { Address } from '../../chat/address.js';
import type { Collection } from '../../store/store.js';

export interface When {
  /** Loading begins when this resolves; by default at once. */
  readonly begin?: Promise<void> | undefined;
  /** Stops loading: `loaded` rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What is known of the documents in memory. */
export interface ChatMemory<T> {
  /** Reads the whole document of a chat, or makes one if there is none. */
  read(address: Address): T | Promise<T>;
  load(document: T): void;
  /** Takes a changed document. */
  keep(document: T): void;
  delete(address: Address): void;
}

interface ChatDocumentsDeps<T> extends When {
  readonly collection: Collection<T>;
  readonly memory: ChatMemory<T>;
  /** What a document is called in errors, such as "watchlist". */
  readonly name: string;
}

export class ChatDocuments<T extends { readonly address: Address }> {
  readonly #deps: ChatDocumentsDeps<T>;
  readonly #lanes = lanes();
  readonly #changes = createListeners<Address>();
  /** Documents that may have changed since the scan read them. */
  readonly #fetched = new Set<string>();
  #isLoaded = false;
  /** Rejects if a document is unreadable, because alerts would be lost. */
  readonly loaded: Promise<void>;

  constructor(deps: ChatDocumentsDeps<T>) {
    this.#deps = deps;
    this.loaded = this.#load();
  }

  readonly onChange = (listener: (address: Address) => void): void => this.#changes.add(listener);

  announce(address: Address): void {
    this.#changes.announce(address);
  }

  /** Fetches a chat's document and those of its topics. Rejects if one is unreadable. */
  readonly fetch = async (address: Address): Promise<void> => {
    if (this.#isLoaded) return;
    await this.#fetchInLane(address);
    const { found } = await this.#deps.collection.list(`${address}/`);
    for (const [, document] of found) await this.#fetchInLane(document.address);
  };

  /** Changes a document, and resolves when it is durable. `stored` runs before the next change of the chat. */
  async change(address: Address, edit: (before: T) => T | Promise<T>, stored?: (before: T, after: T) => Promise<void>): Promise<T> {
    const { collection, memory } = this.#deps;
    return this.#lanes.run(address, async () => {
      await this.#fetchOne(address);
      const before = await memory.read(address);
      const after = await edit(before);
      if (after === before) return before;
      await collection.set(address, after);
      memory.keep(after);
      this.announce(address);
      await stored?.(before, after);
      return after;
    });
  }

  async forget(address: Address, before?: () => Promise<void>): Promise<void> {
    const { collection, memory } = this.#deps;
    return this.#lanes.run(address, async () => {
      await this.#fetchOne(address);
      await before?.();
      await collection.delete(address);
      memory.delete(address);
      this.announce(address);
    });
  }

  async #load(): Promise<void> {
    const { collection, memory, name, begin, signal } = this.#deps;
    await begin;
    for await (const { found, unreadable } of collection.scan()) {
      signal?.throwIfAborted();
      const [broken] = unreadable;
      if (broken)
        throw new Error(
          `alerts: the ${name} ${broken.key} cannot be read (${broken.because}); restore a backup of the store, or remove that document`,
        );
      for (const [key, document] of found) if (!this.#fetched.has(key)) memory.load(document);
    }
    this.#isLoaded = true;
    this.#fetched.clear();
  }

  async #fetchInLane(address: Address): Promise<void> {
    return this.#lanes.run(address, async () => this.#fetchOne(address));
  }

  async #fetchOne(address: Address): Promise<void> {
    if (this.#isLoaded || this.#fetched.has(address)) return;
    const document = await this.#deps.collection.get(address);
    this.#fetched.add(address);
    if (document !== undefined) this.#deps.memory.load(document);
  }
}

/** Finds the topics of a chat by its address: `telegram/-100` finds `telegram/-100/7`. */
export class Addresses {
  readonly #own = new Set<Address>();
  readonly #topics = new Map<string, Set<Address>>();

  add(address: Address): void {
    this.#own.add(address);
    for (const above of placesAbove(address)) this.#topics.set(above, (this.#topics.get(above) ?? new Set()).add(address));
  }

  delete(address: Address): void {
    this.#own.delete(address);
    for (const above of placesAbove(address)) {
      this.#topics.get(above)?.delete(address);
      if (this.#topics.get(above)?.size === 0) this.#topics.delete(above);
    }
  }

  under(address: Address): readonly Address[] {
    return [...(this.#own.has(address) ? [address] : []), ...(this.#topics.get(address) ?? [])];
  }
}

/** Returns the addresses that contain this one. The platform alone is not an address. */
function placesAbove(address: Address): readonly string[] {
  const parts = address.split('/');
  return parts.slice(2).map((_, index) => parts.slice(0, index + 2).join('/'));
}
