/** Opens the store that `STORE_URL` names. */
import type { Backend } from './backend.js';
import { openCollection } from './collection.js';
import { moveRenamed } from './renamed-prefixes.js';
import type { SqliteOptions } from './sqlite.js';
import { StoreError, type Store } from './store.js';

export type StoreOptions = SqliteOptions;

interface StoreEngine {
  readonly scheme: string;
  readonly rest: RegExp;
  readonly example: string;
  readonly usage: string;
  readonly open: (rest: string, options: StoreOptions) => Promise<Backend>;
}

const ENGINES: readonly [StoreEngine, ...StoreEngine[]] = [
  {
    scheme: 'sqlite',
    rest: /^.+$/u,
    example: 'sqlite://./data/navwatch.sqlite',
    usage: 'sqlite://<path>, such as sqlite://./data/navwatch.sqlite',
    open: async (rest, options) => (await import('./sqlite.js')).openSqlite(rest, options),
  },
  {
    scheme: 'memory',
    rest: /^$/u,
    example: 'memory://',
    usage: 'memory:// to forget everything at the end',
    open: async () => (await import('./memory.js')).openMemory(),
  },
];

export const DEFAULT_STORE_URL = ENGINES[0].example;

export const STORE_USAGE = ENGINES.map(({ usage }) => usage).join(', or ');

const parts = (url: string): readonly [scheme: string, rest: string] => {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/su.exec(url) ?? [];
  return [scheme, rest];
};

export function isStoreUrl(url: string): boolean {
  const [scheme, rest] = parts(url);
  return ENGINES.some((engine) => engine.scheme === scheme && engine.rest.test(rest));
}

/** No collection's prefix begins with a dot. */
const PROBE = '.probe';

/** `sqlite://<path>` (creates the folder) or `memory://`. Rejects with a `StoreError` within about two seconds. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const [scheme, rest] = parts(url);
  const engine = ENGINES.find((one) => one.scheme === scheme);
  // Does not repeat the URL, which may contain a password.
  if (engine === undefined)
    throw new StoreError('failed', `store: STORE_URL is not understood; use ${ENGINES.map(({ example }) => example).join(' or ')}`);
  const backend = await engine.open(rest, options);
  await moveRenamed(backend);
  return storeOver(backend);
}

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
      // Checks may overlap, so a later value also passes.
      if (Number(back) >= Number(mark)) return;
      throw new StoreError('failed', `store: ${backend.place} takes writes but does not keep them; check its disk`);
    },
    checkpoint: async () => guarded.checkpoint(),
    async close() {
      await (closing ??= guarded.close());
    },
  };
}
