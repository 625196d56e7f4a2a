/** Opens the store that `STORE_URL` names. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled, programLine } from '../base/program-line.js';
import { capitalised } from '../base/sentence-lists.js';
import { startingWith, type Backend, type StoredText } from './backend.js';
import { openCollection } from './document.js';
import { parsedServerUrl, passwordsOf, placeOf, type ServerOptions } from './server-engine.js';
import { StoreError, type SharedEngine, type Store } from './store.js';
import { EVERY_KEY, Snapshots } from './snapshot.js';
import type { SqliteOptions } from './sqlite.js';
import { randomUUID } from 'node:crypto';

export interface StoreOptions extends SqliteOptions, ServerOptions {
  /** True to open even a store that an interrupted import left. */
  readonly importing?: boolean;
}

interface StoreEngine {
  readonly schemes: readonly [string, ...string[]];
  readonly rest: RegExp;
  /** Set for a database server, whose URL may hold a password. */
  readonly isServer?: true;
  readonly example: string;
  readonly usage: string;
  readonly open: (rest: string, options: StoreOptions & { readonly scheme: string }) => Promise<Backend>;
}

const ENGINES: readonly [StoreEngine, ...StoreEngine[]] = [
  {
    schemes: ['sqlite'],
    rest: /^.+$/u,
    example: 'sqlite://./data/navwatch.sqlite',
    usage: 'sqlite://<path>, such as sqlite://./data/navwatch.sqlite',
    async open(rest, options) {
      requireSqlite();
      return (await import('./sqlite.js')).openSqlite(rest, options);
    },
  },
  {
    schemes: ['postgres', 'postgresql'],
    rest: /^.+$/u,
    isServer: true,
    example: 'postgres://navwatch@localhost:5432/navwatch',
    usage: 'postgres://<user>:<password>@<host>:5432/<database> for PostgreSQL',
    open: async (rest, options) => (await import('./postgres.js')).openPostgres(rest, options),
  },
  {
    schemes: ['redis', 'rediss'],
    rest: /^.+$/u,
    isServer: true,
    example: 'redis://localhost:6379/0',
    usage: 'redis://:<password>@<host>:6379/0 for Redis',
    open: async (rest, options) => (await import('./redis.js')).openRedis(rest, options),
  },
  {
    schemes: ['memory'],
    rest: /^$/u,
    example: 'memory://',
    usage: 'memory:// to forget everything at the end',
    open: async () => (await import('./memory.js')).openMemory(),
  },
];

/** Matches the errors if SQLite's package is missing. A package manager takes it out where its compilation fails. */
const NOT_LOADED = /Cannot find (?:package|module) '(?:@keyv\/sqlite|sqlite3|bindings)'/u;

/**
 * Matches the errors if a file inside of these packages is missing, or only its beginning was written. Without its binary the package was left
 * by an installation that ended while it was compiled, or that ran no install scripts.
 */
const NOT_WHOLE =
  /Could not locate the bindings file|(?:Cannot find module|Error parsing)[^]*[/\\]node_modules[/\\](?:@keyv[/\\]sqlite|sqlite3|bindings)[/\\]|file too short/u;

/** Throws a sentence if SQLite cannot be loaded. Its installation may have failed silently, or was interrupted. */
export function requireSqlite(load = loadSqlite, isFinished = isInstallationFinished): void {
  try {
    load();
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const isUnfit = 'code' in cause && cause.code === 'ERR_DLOPEN_FAILED';
    const isMissing = NOT_LOADED.test(cause.message);
    const isCut = NOT_WHOLE.test(cause.message) || (isMissing && !isFinished());
    if (!isUnfit && !isMissing && !isCut) throw cause;
    const [first = ''] = cause.message.split('\n', 1);
    const because = first.replace(/[.:]?( Tried:)?$/u, '');
    const says = isCut
      ? `the installation is not complete, files of the package sqlite3 are missing (${because}). ${capitalised(INSTALL)}, with install scripts`
      : `the package sqlite3 has no binary that runs here (${because}). Install Python 3, make and g++, then ${INSTALL}`;
    throw new StoreError('failed', `store: ${says}; ${OR_ELSE}`, { cause });
  }
}

/** What package managers write last: npm, Yarn 1, Yarn, and pnpm. */
const FINISHED = ['.package-lock.json', '.yarn-integrity', '.yarn-state.yml', '.modules.yaml'];

/** Tells whether the installation of the packages came to its end. A failed compilation of SQLite does not stop one. */
function isInstallationFinished(): boolean {
  const file = fileURLToPath(import.meta.url);
  const folders =
    createRequire(file)
      .resolve.paths('sqlite3')
      ?.filter((folder) => existsSync(folder)) ?? [];
  // An installed bot lies among the packages; a checkout has them in a folder of its own.
  const packages = folders.find((folder) => file.startsWith(`${folder}${sep}`)) ?? folders[0] ?? '';
  return FINISHED.some((name) => existsSync(join(packages, name)));
}

/** Loads SQLite with `require`, because a failed `import` would also be reported as an unhandled rejection. */
function loadSqlite(): void {
  const { resolve } = createRequire(import.meta.url);
  createRequire(resolve('@keyv/sqlite'))('sqlite3');
}

/** `npx` caches a failed installation, so its cache must be emptied first. */
const INSTALL = isInstalled() ? 'install Navwatch again (of npx, delete the folder ~/.npm/_npx first)' : 'run "npm ci" again';
const OR_ELSE = `or set STORE_URL to a server, such as postgres://<user>:<password>@<host>:5432/<database> or redis://<host>:6379/0, or to memory:// to try it without keeping anything.`;

export const DEFAULT_STORE_URL = ENGINES[0].example;

export const STORE_USAGE = `${ENGINES.map(({ usage }) => usage).join(', or ')}; in a password write %40 for @, %2F for / and %23 for #`;

const parts = (url: string): readonly [scheme: string, rest: string] => {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/su.exec(url) ?? [];
  return [scheme, rest];
};

export function isStoreUrl(url: string): boolean {
  const [scheme, rest] = parts(url);
  const engine = engineOf(scheme);
  return engine?.rest.test(rest) === true && (engine.isServer !== true || parsedServerUrl(url) !== undefined);
}

const engineOf = (scheme: string): StoreEngine | undefined => ENGINES.find(({ schemes }) => schemes.includes(scheme));

const serverAddressOf = (url: string): URL | undefined => (engineOf(parts(url)[0])?.isServer === true ? parsedServerUrl(url) : undefined);

/** Returns the URL without its password, for people and logs. */
export function storePlace(url: string): string {
  const address = serverAddressOf(url);
  return address === undefined ? url : placeOf(address);
}

/** Tells whether the database may share this machine and its clock: a socket, loopback, or a host name without a domain, as of containers. */
export function mayShareMachine(url: string): boolean {
  const { hostname = '' } = serverAddressOf(url) ?? {};
  return /^(?:[^.:]*|127(?:\.\d+){3}|\[::1\]|.*\.localhost|host\.docker\.internal)$/u.test(hostname);
}

/** Returns the password, encoded as in the URL and decoded, so that logs can hide both. */
export function storePasswords(url: string): readonly string[] {
  const address = serverAddressOf(url);
  return address === undefined ? [] : passwordsOf(address);
}

/**
 * Returns the folder for files beside the store: that of the SQLite database, or for a server that of the default database;
 * undefined if nothing is stored.
 */
export function dataFolder(url: string): string | undefined {
  const [scheme, rest] = parts(url);
  if (scheme === 'memory') return undefined;
  return dirname(isSharedUrl(url) ? parts(DEFAULT_STORE_URL)[1] : rest);
}

/** Tells whether several processes may open the store. */
export const isSharedUrl = (url: string): boolean =>
  ENGINES.some(({ schemes, isServer }) => isServer === true && schemes.includes(parts(url)[0]));

/** Opens a store. Rejects with a `StoreError` within about two seconds, or five if a server is unreachable. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const [scheme, rest] = parts(url);
  const engine = engineOf(scheme);
  // The message does not repeat the URL, which may contain a password.
  if (engine === undefined)
    throw new StoreError('failed', `store: STORE_URL is not understood; use ${ENGINES.map(({ example }) => example).join(' or ')}`);
  const backend = await engine.open(rest, { ...options, scheme });
  try {
    await refuseInterrupted(backend, options);
  } catch (error) {
    await backend.close();
    throw error;
  }
  return storeOver(backend);
}

async function refuseInterrupted(backend: Backend, { importing = false }: StoreOptions): Promise<void> {
  if (!importing && (await isInterrupted(backend))) {
    const remedy = `run ${programLine('import', '<file>')} again with the same file, or restore a backup`;
    throw new StoreError('unreadable', `store: an import into ${backend.place} did not end, so documents are missing; ${remedy}`);
  }
}

/** Makes a store of a backend. It refuses every call once it is closed. */
export function storeOver(backend: Backend): Store {
  let closing: Promise<void> | undefined;
  const live = (): Backend => {
    if (closing === undefined) return backend;
    throw new StoreError('failed', `store: ${backend.place} is closed; nothing can be read or stored any more`);
  };
  const snapshots = new Snapshots({
    place: backend.place,
    get: async (key) => live().get(key),
    set: async (key, text, writers) => live().set(key, text, writers),
    setIfAbsent: async (key, text, writers) => live().setIfAbsent(key, text, writers),
    delete: async (key, writers) => live().delete(key, writers),
    range: async (range) => live().range(range),
    checkpoint: async () => live().checkpoint(),
    close: async () => backend.close(),
  });
  const guarded = snapshots.backend;
  const { shared, inspect } = backend;
  const probe = openProbe(guarded, shared !== undefined);
  return {
    ...(shared === undefined ? {} : { shared: guardedEngine(shared, live) }),
    ...(inspect === undefined ? {} : { inspect: async () => live().inspect?.() ?? inspect() }),
    copies: {
      snapshot: () => snapshots.snapshot(),
      isEmpty: async () => isEmpty(guarded),
      replaceAll: async (pages) => replaceAll(guarded, pages),
      isInterrupted: async () => isInterrupted(guarded),
    },
    collection: (spec) => openCollection(spec, guarded),
    check: async () => probe.check(),
    async checkpoint() {
      await probe.sweep();
      await guarded.checkpoint();
    },
    async close() {
      await (closing ??= probe.remove().then(async () => backend.close()));
    },
  };
}

/** Wraps a shared engine. `live` throws once the store is closed. */
function guardedEngine(shared: SharedEngine, live: () => unknown): SharedEngine {
  const guard =
    <Arguments extends readonly unknown[], Result>(work: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      live();
      return work(...given);
    };
  return {
    acquire: guard(async (holder, ttlMs) => shared.acquire(holder, ttlMs)),
    release: guard(async () => shared.release()),
    holder: guard(async () => shared.holder()),
    take: guard(async (counter, rate) => shared.take(counter, rate)),
    add: guard(async (counter, amount, options) => shared.add(counter, amount, options)),
  };
}

const MARK = '.import';
const PAGE = 500;

const isInterrupted = async (backend: Backend): Promise<boolean> => (await backend.get(MARK)) !== undefined;

const isEmpty = async (backend: Backend): Promise<boolean> => (await backend.range({ ...EVERY_KEY, limit: 1 })).length === 0;

/** Replaces all documents, page by page. A mark shows a replacement that did not end; an error leaves it. Rejects with the error of `pages` or of the engine. */
async function replaceAll(backend: Backend, pages: AsyncIterable<readonly StoredText[]>): Promise<void> {
  await backend.set(MARK, 'begun');
  for (
    let page = await backend.range({ ...EVERY_KEY, limit: PAGE });
    page.length > 0;
    page = await backend.range({ ...EVERY_KEY, limit: PAGE })
  )
    await Promise.all(page.map(async ([key]) => backend.delete(key)));
  for await (const page of pages) await Promise.all(page.map(async ([key, text]) => backend.set(key, text)));
  await backend.delete(MARK);
}

/** The key of the probe. No collection's prefix begins with a dot. */
const PROBE = '.probe';
const MAX_SWEPT = 1_000;

/** Checks a store by writing a text and reading it back. On a shared engine each process has its own key. */
interface StoreProbe {
  /** Rejects with a `StoreError`. */
  check(): Promise<void>;
  /** Deletes the texts of processes that crashed: those that have not changed since the last sweep. */
  sweep(): Promise<void>;
  /** Removes this process's text. Never rejects. */
  remove(): Promise<void>;
}

export function openProbe(backend: Pick<Backend, 'place' | 'get' | 'set' | 'delete' | 'range'>, isShared: boolean): StoreProbe {
  const key = isShared ? `${PROBE}/${randomUUID()}` : PROBE;
  let probes = 0;
  let seen: ReadonlyMap<string, string> = new Map();
  const isKept = async (): Promise<boolean> => {
    const mark = String((probes += 1));
    await backend.set(key, mark, 'any');
    // Checks may overlap, so a later value passes too.
    return Number(await backend.get(key)) >= Number(mark);
  };
  return {
    async check() {
      // The text may have been swept between the write and the read.
      if ((await isKept()) || (isShared && (await isKept()))) return;
      throw new StoreError('failed', `store: ${backend.place} takes writes but does not keep them; check its disk`);
    },
    async sweep() {
      if (!isShared) return;
      const found: readonly StoredText[] = await backend.range({ ...startingWith(`${PROBE}/`), limit: MAX_SWEPT });
      for (const [other, text] of found) if (other !== key && seen.get(other) === text) await backend.delete(other, 'any');
      seen = new Map(found);
    },
    async remove() {
      if (isShared && probes > 0) await backend.delete(key, 'any').catch(() => {}); // The database may be unreachable.
    },
  };
}
