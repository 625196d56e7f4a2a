/** Collection over a backend: keys `prefix/key`. */
import { yieldToEventLoop } from '../base/yield.js';
import { startingWith, type Backend, type StoredText } from './backend.js';
import { decode, encode } from './document.js';
import { StoreError, type Collection, type CollectionSpec, type Listing, type StoreTrouble } from './store.js';

const SCAN_PAGE = 100;

/** Some databases lose control characters and unpaired surrogates. */
const UNFIT = /[\p{Cc}\p{Cs}\u{10FFFF}]/u;

/** Prefixes with a leading dot belong to the store. */
const PREFIX = /^[^!-/\s\p{C}][^/\s\p{C}]*$/u;

/** Tells whether it is a key of a document, with its prefix. */
export function isKey(name: string): boolean {
  const slash = name.indexOf('/');
  return PREFIX.test(name.slice(0, Math.max(0, slash))) && slash < name.length - 1 && !UNFIT.test(name);
}

const remedies: Partial<Record<StoreTrouble, string>> = {
  newer: 'run that newer Navwatch, or restore a backup made before it',
  unreadable: 'restore a backup',
};

/** Throws for a bad prefix or version. */
export function openCollection<T>(spec: CollectionSpec<T>, backend: Backend): Collection<T> {
  if (!PREFIX.test(spec.prefix)) throw new StoreError('failed', `store: "${spec.prefix}" is no prefix; use one plain word`);
  if (!Number.isInteger(spec.version) || spec.version < 1) {
    throw new StoreError('failed', `store: the version of "${spec.prefix}" must be a whole number from 1`);
  }
  const start = `${spec.prefix}/`;
  const full = (key: string): string => {
    if (key === '' || UNFIT.test(key)) {
      throw new StoreError('failed', `store: ${JSON.stringify(start + key)} is no key; it must not be empty or hold control characters`);
    }
    return start + key;
  };

  const whole = startingWith(start);
  const read = (entries: readonly StoredText[]): Listing<T> => {
    const found: [string, T][] = [];
    const unreadable: { key: string; because: string }[] = [];
    for (const [name, text] of entries) {
      const key = name.slice(start.length);
      const decoded = decode(spec, text);
      if (decoded.kind === 'document') found.push([key, decoded.document]);
      else unreadable.push({ key, because: decoded.because });
    }
    return { found, unreadable };
  };

  return {
    async get(key) {
      const name = full(key);
      const text = await backend.get(name);
      if (text === undefined) return undefined;
      const decoded = decode(spec, text);
      if (decoded.kind === 'document') return decoded.document;
      const { trouble, because } = decoded;
      throw new StoreError(trouble, `store: ${name} in ${backend.place} cannot be read: ${because}; ${remedies[trouble] ?? 'see the log'}`);
    },
    async set(key, document) {
      await backend.set(full(key), encode(spec, { key, document }), spec.writers);
    },
    async setIfAbsent(key, document) {
      return backend.setIfAbsent(full(key), encode(spec, { key, document }), spec.writers);
    },
    async delete(key) {
      await backend.delete(full(key), spec.writers);
    },
    async list(under = '') {
      return read(await backend.range(under === '' ? whole : startingWith(full(under))));
    },
    async *scan(under = '') {
      const range = under === '' ? whole : startingWith(full(under));
      let next: ReturnType<Backend['range']> | undefined = backend.range({ ...range, limit: SCAN_PAGE });
      while (next !== undefined) {
        const page: readonly StoredText[] = await next;
        const last: StoredText | undefined = page.length === SCAN_PAGE ? page.at(-1) : undefined;
        // Read while this one is parsed.
        next = last && backend.range({ ...range, after: last[0], limit: SCAN_PAGE });
        // Nobody has the error where the caller stops early.
        next?.catch(() => undefined);
        if (page.length > 0) yield read(page);
        await yieldToEventLoop();
      }
    },
  };
}
