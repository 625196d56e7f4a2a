/** A store whose disk is full for what the platform writes, from when a test says so. */
import { openStore } from '../../../src/store/open.js';
import { StoreError, type Store } from '../../../src/store/store.js';

export async function openFillingStore(): Promise<{ readonly store: Store; fill(isFull: boolean): void }> {
  const inner = await openStore('memory://');
  let full = false;
  const store: Store = {
    ...inner,
    collection: (spec) => {
      const collection = inner.collection(spec);
      return {
        ...collection,
        async set(key, document) {
          if (full && spec.prefix === 'platform') throw new StoreError('full', 'store: the disk is full');
          await collection.set(key, document);
        },
      };
    },
  };
  return { store, fill: (isFull) => void (full = isFull) };
}
