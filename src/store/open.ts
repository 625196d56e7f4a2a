/** From `STORE_URL` to an open store. The table below is the only place that knows which backends there are. */
import type { Backend } from './backend.js';
import { openCollection } from './collection.js';
import { openMemory } from './memory.js';
import { openSqlite, type SqliteOptions } from './sqlite.js';
import { StoreError, type Store } from './store.js';

/** What a backend may be told beyond its URL. Each reads what concerns it. */
export type StoreOptions = SqliteOptions;

const backends: Readonly<Record<string, (rest: string, options: StoreOptions) => Backend | Promise<Backend>>> = {
  memory: openMemory,
  sqlite: openSqlite,
};

/** Where the write probe leaves its mark: no collection's prefix begins with a dot. */
const PROBE = '.probe';

/**
 * Opens `sqlite://./data/navwatch.sqlite` (relative to the working directory, or absolute; the folder is made) or `memory://`.
 * Rejects with a `StoreError` within about two seconds when it is locked, damaged, read-only, full or written by a newer Navwatch.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/su.exec(url) ?? [];
  const open = Object.hasOwn(backends, scheme) ? backends[scheme] : undefined;
  // The URL itself is not repeated: it may hold a password.
  if (open === undefined)
    throw new StoreError('failed', 'store: STORE_URL is not understood; use sqlite://./data/navwatch.sqlite or memory://');
  return storeOver(await open(rest, options));
}

/** The store's port over any backend. */
function storeOver(backend: Backend): Store {
  let closing: Promise<void> | undefined;
  let probes = 0;
  const live = (): Backend => {
    if (closing === undefined) return backend;
    throw new StoreError('failed', `store: ${backend.place} is closed; nothing can be read or stored any more`);
  };
  const guarded: Backend = {
    place: backend.place,
    get: async (key) => live().get(key),
    set: async (key, text) => live().set(key, text),
    delete: async (key) => live().delete(key),
    range: async (range) => live().range(range),
    checkpoint: async () => live().checkpoint(),
    close: async () => backend.close(),
  };
  return {
    collection: (spec) => openCollection(spec, guarded),
    async check() {
      const mark = String((probes += 1));
      await guarded.set(PROBE, mark);
      const back = await guarded.get(PROBE);
      // Checks may overlap, so a later mark is as good as ours.
      if (Number(back) >= Number(mark)) return;
      throw new StoreError('failed', `store: ${backend.place} takes writes but does not keep them; check its disk`);
    },
    checkpoint: async () => guarded.checkpoint(),
    async close() {
      await (closing ??= guarded.close());
    },
  };
}
