/** One cached document of a platform, `platform/<key>`. */
import { omitUndefined } from '../base/omit-undefined.js';
import type { z } from 'zod';
import { lanes } from '../base/lanes.js';
import { StoreError, type CollectionSpec, type Store } from '../store/store.js';

export interface CachedDocument<T> {
  read(): T;
  /** Serial; resolves when durable. Returning the same value writes nothing. */
  change(to: (now: T) => T): Promise<T>;
}

export interface CachedDocumentDeps<T> extends Pick<CollectionSpec<T>, 'upgrade'> {
  readonly store: Store;
  readonly key: string;
  readonly schema: z.ZodType<T>;
  /** Default: 1. */
  readonly version?: number;
  /** For an absent or unreadable document. */
  readonly empty: T;
  readonly onUnreadable: (error: StoreError) => void;
}

/** Rejects with the store's error. An unreadable document is replaced by `empty`. */
export async function openCachedDocument<T>({
  store,
  key,
  schema,
  version = 1,
  upgrade,
  empty,
  onUnreadable,
}: CachedDocumentDeps<T>): Promise<CachedDocument<T>> {
  const documents = store.collection(omitUndefined({ prefix: 'platform', schema, version, upgrade }));
  const writing = lanes();
  const stored = await documents.get(key).catch((error: unknown) => {
    if (!(error instanceof StoreError) || error.trouble !== 'unreadable') throw error;
    onUnreadable(error);
    return undefined;
  });
  let current = stored ?? empty;
  return {
    read: () => current,
    change: async (to) =>
      writing.run(key, async () => {
        const after = to(current);
        if (after !== current) await documents.set(key, after);
        return (current = after);
      }),
  };
}

/** Changes last as long as the process. */
export function inMemory<T>(stored: CachedDocument<T>): CachedDocument<T> {
  let current = stored.read();
  return { read: () => current, change: async (to) => (current = to(current)) };
}

/** Opens at the first use, and again after a failure. */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return async () => {
    const opening = (opened ??= open());
    return opening.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
  };
}
