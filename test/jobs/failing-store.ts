/** A store that fails at one write and lives on, as one does that was locked for a moment. */
import { type Collection, type CollectionSpec, type Store, StoreError } from '../../src/store/store.js';

export interface Failing extends Store {
  /** The next so many writes fail; `written`: they become durable all the same, and nobody hears of it. */
  fails(writes: number, how?: { readonly after?: number; readonly written?: boolean }): void;
  /** Every key that was written or deleted, in order, failures included. */
  readonly wrote: readonly string[];
}

export function failing(base: Store): Failing {
  const wrote: string[] = [];
  let passing = 0;
  let left = 0;
  let durable = false;
  const write = async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    wrote.push(key);
    if (left === 0) return work();
    if (passing > 0) {
      passing -= 1;
      return work();
    }
    left -= 1;
    if (durable) await work();
    throw new StoreError('locked', 'store: the test says it is locked; wait');
  };
  return {
    wrote,
    fails: (writes, { after = 0, written = false } = {}) => {
      left = writes;
      passing = after;
      durable = written;
    },
    collection: <T>(spec: CollectionSpec<T>): Collection<T> => {
      const inner = base.collection(spec);
      return {
        ...inner,
        set: async (key, document) => write(`${spec.prefix}/${key}`, async () => inner.set(key, document)),
        setIfAbsent: async (key, document) => write(`${spec.prefix}/${key}`, async () => inner.setIfAbsent(key, document)),
        delete: async (key) => write(`${spec.prefix}/${key}`, async () => inner.delete(key)),
      };
    },
    copies: base.copies,
    check: async () => base.check(),
    checkpoint: async () => base.checkpoint(),
    close: async () => base.close(),
  };
}
