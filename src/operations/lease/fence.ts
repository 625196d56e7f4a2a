/** The store of a process with a lease: a write that the engine refuses for its epoch ends the lease, whoever made it. */
import type { Collection, CollectionSpec, Store } from '../../store/store.js';
import { isSuperseded, type Lease } from './lease.js';

export function watchFence(store: Store, lease: Pick<Lease, 'superseded'>): Store {
  const watched = async <T>(write: Promise<T>): Promise<T> => {
    try {
      return await write;
    } catch (cause) {
      if (isSuperseded(cause)) lease.superseded();
      throw cause;
    }
  };
  return {
    ...store,
    collection<T>(spec: CollectionSpec<T>): Collection<T> {
      const documents = store.collection(spec);
      return {
        ...documents,
        set: async (key, document) => watched(documents.set(key, document)),
        setIfAbsent: async (key, document) => watched(documents.setIfAbsent(key, document)),
        delete: async (key) => watched(documents.delete(key)),
      };
    },
  };
}
