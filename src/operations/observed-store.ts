/** Reports every operation of a store: to metrics, and to the lease. */
import type { Collection, CollectionSpec, Store } from '../store/store.js';

export interface StoreCall {
  readonly operation: 'get' | 'set' | 'set-if-absent' | 'delete' | 'list' | 'check';
  readonly ms: number;
  /** What it rejected with. */
  readonly failure?: unknown;
}

/** A scan yields between its pages, so it is not reported. */
export function observedStore(store: Store, called: (call: StoreCall) => void): Store {
  const observed = async <T>(operation: StoreCall['operation'], work: Promise<T>): Promise<T> => {
    const begun = performance.now();
    try {
      const result = await work;
      called({ operation, ms: performance.now() - begun });
      return result;
    } catch (failure) {
      called({ operation, ms: performance.now() - begun, failure });
      throw failure;
    }
  };
  return {
    ...store,
    collection<T>(spec: CollectionSpec<T>): Collection<T> {
      const documents = store.collection(spec);
      return {
        ...documents,
        get: async (key) => observed('get', documents.get(key)),
        set: async (key, document) => observed('set', documents.set(key, document)),
        setIfAbsent: async (key, document) => observed('set-if-absent', documents.setIfAbsent(key, document)),
        delete: async (key) => observed('delete', documents.delete(key)),
        list: async (under) => observed('list', documents.list(under)),
      };
    },
    check: async () => observed('check', store.check()),
  };
}
