/** Brings a collection into memory in the background, page by page, while single documents of it are read and changed already. */
import type { Lanes } from '../../base/lanes.js';
import type { Address } from '../../chat/address.js';
import type { Collection } from '../../store/store.js';

export interface Loading {
  /** Resolves when every document is in memory. Rejects when one cannot be read: to go on without it would lose alerts. */
  readonly loaded: Promise<void>;
  /** Brings the document of an address, and those of its topics, into memory before the others. Rejects where one cannot be read. */
  fetch(address: Address): Promise<void>;
  /** The same for one document, for whoever has the lane of its address. Called before each change. */
  fetchOne(address: Address): Promise<void>;
}

export interface LoadingDeps<T> {
  readonly documents: Pick<Collection<T>, 'get' | 'list' | 'scan'>;
  /** The lanes in which documents are changed, by address. */
  readonly lanes: Lanes;
  /** What the documents are called in messages: "watchlist". */
  readonly name: string;
  /** Takes a document into memory; where the scan and a fetch meet, the same one twice. */
  readonly put: (document: T) => void;
}

/** Begins to load at once. */
export function startLoading<T extends { readonly address: Address }>({ documents, lanes, name, put }: LoadingDeps<T>): Loading {
  /** What was fetched, absent documents included: it may have been changed or forgotten since the scan read its page. */
  const fetched = new Set<string>();
  let isLoaded = false;

  const load = async (): Promise<void> => {
    for await (const { found, unreadable } of documents.scan()) {
      const [broken] = unreadable;
      if (broken)
        throw new Error(
          `alerts: the ${name} ${broken.key} cannot be read (${broken.because}); restore a backup of the store, or remove that document`,
        );
      for (const [key, document] of found) if (!fetched.has(key)) put(document);
    }
    isLoaded = true;
    fetched.clear();
  };
  const fetchOne = async (address: Address): Promise<void> => {
    if (isLoaded || fetched.has(address)) return;
    const document = await documents.get(address);
    fetched.add(address);
    if (document !== undefined) put(document);
  };
  const fetchInLane = async (address: Address): Promise<void> => lanes.run(address, async () => fetchOne(address));

  return {
    loaded: load(),
    fetchOne,
    async fetch(address) {
      if (isLoaded) return;
      await fetchInLane(address);
      const { found } = await documents.list(`${address}/`);
      for (const [, document] of found) await fetchInLane(document.address);
    },
  };
}
