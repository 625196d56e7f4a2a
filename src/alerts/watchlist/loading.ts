/** This module loads a collection in the background. */
import type { Lanes } from '../../base/lanes.js';
import type { Address } from '../../chat/address.js';
import type { Collection } from '../../store/store.js';

export interface Loading {
  /** Rejects if a document is unreadable, because alerts would be lost. */
  readonly loaded: Promise<void>;
  /** Fetches a chat's document and those of its topics. Rejects if one is unreadable. */
  fetch(address: Address): Promise<void>;
  /** Fetches one document. The caller must hold the address's lane. */
  fetchOne(address: Address): Promise<void>;
}

export interface When {
  /** Loading begins when this resolves; by default at once. */
  readonly begin?: Promise<void> | undefined;
  /** Stops loading: `loaded` rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface LoadingDeps<T> extends When {
  readonly documents: Pick<Collection<T>, 'get' | 'list' | 'scan'>;
  readonly lanes: Lanes;
  /** What a document is called in errors, such as "watchlist". */
  readonly name: string;
  readonly put: (document: T) => void;
}

export function startLoading<T extends { readonly address: Address }>({
  documents,
  lanes,
  name,
  put,
  begin,
  signal,
}: LoadingDeps<T>): Loading {
  /** Documents that may have changed since the scan read them. */
  const fetched = new Set<string>();
  let isLoaded = false;

  const load = async (): Promise<void> => {
    await begin;
    for await (const { found, unreadable } of documents.scan()) {
      signal?.throwIfAborted();
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
