/** A collection whose documents may wait for the next flush. */
import type { Collection } from './store.js';

export interface WriteBehind<T> extends Collection<T> {
  /** Changes a document, which becomes durable with the next `flush`. `list` and `scan` do not see it until then. */
  defer(key: string, document: T): void;
  /** Writes all deferred documents, or that of one key. Rejects if a write fails, which then stays deferred. */
  flush(key?: string): Promise<void>;
}

/** Wraps a collection. Writes of one key keep their order. */
export function writeBehind<T>(documents: Collection<T>): WriteBehind<T> {
  const deferred = new Map<string, T>();
  const write = async (key: string, document: T): Promise<void> => {
    await documents.set(key, document);
    // A newer document may have been deferred during the write.
    if (deferred.get(key) === document) deferred.delete(key);
  };
  return {
    ...documents,
    get: async (key) => deferred.get(key) ?? documents.get(key),
    async set(key, document) {
      // The deferred document is dropped even if this write fails: the new one may be durable anyway, and an older one must not replace it.
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
