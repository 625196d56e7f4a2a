/** Measures the operations of a store. */
import { StoreError, type Collection, type CollectionSpec, type Store, type StoreTrouble } from '../../store/store.js';

export interface StoreCall {
  readonly operation: 'get' | 'set' | 'delete' | 'list' | 'check';
  readonly ms: number;
  /** What was wrong, if it failed. */
  readonly trouble?: StoreTrouble | 'other' | undefined;
}

export type OnStoreCall = (call: StoreCall) => void;

/** A scan yields between its pages, so it is not measured. */
export function measuredStore(store: Store, called: OnStoreCall): Store {
  const measured = async <T>(operation: StoreCall['operation'], work: Promise<T>): Promise<T> => {
    const begun = performance.now();
    try {
      const result = await work;
      called({ operation, ms: performance.now() - begun });
      return result;
    } catch (cause) {
      called({ operation, ms: performance.now() - begun, trouble: cause instanceof StoreError ? cause.trouble : 'other' });
      throw cause;
    }
  };
  return {
    ...store,
    collection<T>(spec: CollectionSpec<T>): Collection<T> {
      const documents = store.collection(spec);
      return {
        ...documents,
        get: async (key) => measured('get', documents.get(key)),
        set: async (key, document) => measured('set', documents.set(key, document)),
        delete: async (key) => measured('delete', documents.delete(key)),
        list: async (under) => measured('list', documents.list(under)),
      };
    },
    check: async () => measured('check', store.check()),
  };
}
