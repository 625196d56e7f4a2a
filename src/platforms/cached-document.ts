/** A cached document of a platform, `platform/<key>`. */
import type { z } from 'zod';
import { StoreError, type Store } from '../store/store.js';

export interface CachedDocument<T> {
  read(): T;
  /** Changes the document in order; changes that wait for a write share the next one. Resolves when stored. An unchanged value is not written. */
  change(to: (now: T) => T): Promise<T>;
}

export interface CachedDocumentDeps<T> {
  readonly store: Store;
  readonly key: string;
  readonly schema: z.ZodType<T>;
  /** The value of an absent or unreadable document. */
  readonly empty: T;
  readonly onUnreadable: (error: StoreError) => void;
}

/** Opens a document. Rejects with the store's error. An unreadable document is replaced by `empty`. */
export async function openCachedDocument<T>({
  store,
  key,
  schema,
  empty,
  onUnreadable,
}: CachedDocumentDeps<T>): Promise<CachedDocument<T>> {
  const documents = store.collection({ prefix: 'platform', schema, version: 1 });
  const stored = await documents.get(key).catch((error: unknown) => {
    if (!(error instanceof StoreError) || error.trouble !== 'unreadable') throw error;
    onUnreadable(error);
    return undefined;
  });
  let current = stored ?? empty;
  const waiting: Change<T>[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const { after, made } = changed(current, waiting.splice(0));
      try {
        if (after !== current) await documents.set(key, after);
        current = after;
        for (const { resolve, value } of made) resolve(value);
      } catch (error) {
        for (const { reject } of made) reject(error);
      }
    }
    isWriting = false;
  }

  return {
    read: () => current,
    change: async (to) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ to, resolve, reject });
        if (!isWriting) void write();
      }),
  };
}

interface Change<T> {
  readonly to: (now: T) => T;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Applies the changes in order. A change that throws is left out. */
function changed<T>(current: T, changes: readonly Change<T>[]) {
  const made: (Change<T> & { readonly value: T })[] = [];
  let after = current;
  for (const change of changes) {
    try {
      after = change.to(after);
      made.push({ ...change, value: after });
    } catch (error) {
      change.reject(error);
    }
  }
  return { after, made };
}

/** Wraps a document so that changes are not stored and last as long as the process. */
export function inMemory<T>(stored: CachedDocument<T>): CachedDocument<T> {
  let current = stored.read();
  return { read: () => current, change: async (to) => (current = to(current)) };
}

/** Opens at the first use, and retries after a failure. */
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
