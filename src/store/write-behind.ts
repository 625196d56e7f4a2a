/** A collection whose documents may wait for the next flush. */
import type { Collection } from './store.js';

export interface WriteBehind<T> extends Collection<T> {
  /** It is durable with the next `flush`. `list` and `scan` do not know it. */
  defer(key: string, document: T): void;
  /** Writes all documents, or one key; a write that fails stays, and rejects. */
  flush(key?: string): Promise<void>;
}

/** Keeps the order of the writes of one key. */
export function writeBehind<T>(documents: Collection<T>): WriteBehind<T> {
  const deferred = new Map<string, T>();
  const write = async (key: string, document: T): Promise<void> => {
    await documents.set(key, document);
    // Meanwhile a newer one may have been deferred.
    if (deferred.get(key) === document) deferred.delete(key);
  };
  return {
    ...documents,
    get: async (key) => deferred.get(key) ?? documents.get(key),
    async set(key, document) {
      // The deferred one is not kept in case this fails: the new one may be durable all the same, and an older document must not replace it.
      deferred.delete(key);
      await documents.set(key, document);
    },
    setIfAbsent: async (key, document) => (deferred.has(key) ? false : documents.setIfAbsent(key, document)),
    async delete(key) {
      deferred.delete(key);
      await documents.delete(key);
    },
    defer: (key, document) => void deferred.set(key, document),
    async flush(key) {
      const due = [...deferred].filter(([name]) => key === undefined || name === key);
      const failed = (await Promise.allSettled(due.map(async ([name, document]) => write(name, document)))).find(
        (one) => one.status === 'rejected',
      );
      if (failed !== undefined) throw failed.reason;
    },
  };
}
