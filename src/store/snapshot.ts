/** Takes snapshots of a store in use: the old text of a changed key is kept until the snapshot has passed it (docs/decisions/0029-export-and-import.md). */
import { yieldToEventLoop } from '../base/yield.js';
import { byBytes, type Backend, type KeyRange, type StoredText } from './backend.js';
import { StoreError } from './store.js';

const PAGE = 50;
/** The value is in characters, over all kept texts. */
const MAX_KEPT = 128 * 1024 * 1024;

/** The range of all collections' keys. The store's own keys begin with a dot, which sorts before it. */
export const EVERY_KEY: KeyRange = { from: '0', to: '\u{10FFFF}' };
const isOwnKey = (key: string): boolean => key.startsWith('.');

export interface Snapshots {
  /** The wrapped backend. All writes must go through it. */
  readonly backend: Backend;
  snapshot(): AsyncGenerator<readonly StoredText[]>;
}

interface Kept {
  /** Resolves when `text` is known. Never rejects. */
  readonly reading: Promise<void>;
  /** Undefined if there was no document. */
  text: string | undefined;
}

interface Taken {
  readonly kept: Map<string, Kept>;
  readonly deleted: Set<string>;
  /** The snapshot has passed all keys up to this one. */
  passed: string;
  characters: number;
  problem: Error | undefined;
}

/** Adds snapshots to a backend. While none is read, `backend` calls `inner` at once. */
export function withSnapshots(inner: Backend, maxKept = MAX_KEPT): Snapshots {
  let taken: Taken | undefined;

  const keep = (taking: Taken, key: string): Kept => {
    const one: Kept = {
      text: undefined,
      reading: inner.get(key).then(
        (text) => {
          one.text = text;
          taking.characters += text?.length ?? 0;
          if (taking.characters > maxKept) taking.problem ??= new StoreError('failed', TOO_MUCH);
        },
        (error: unknown) => void (taking.problem ??= error instanceof Error ? error : new Error(String(error))),
      ),
    };
    taking.kept.set(key, one);
    return one;
  };
  /** Keeps the old text before a write. Returns undefined if there is nothing to wait for. Writes of one key keep their order. */
  const changing = (key: string, { isDeleted = false } = {}): Promise<void> | undefined => {
    if (taken === undefined || taken.problem !== undefined || isOwnKey(key) || byBytes(key, taken.passed) <= 0) return undefined;
    if (isDeleted) taken.deleted.add(key);
    return (taken.kept.get(key) ?? keep(taken, key)).reading;
  };

  const backend: Backend = {
    ...inner,
    async get(key) {
      const before = taken?.kept.get(key);
      if (before !== undefined) await before.reading;
      return inner.get(key);
    },
    async set(key, text, writers) {
      const before = changing(key);
      if (before !== undefined) await before;
      return inner.set(key, text, writers);
    },
    async setIfAbsent(key, text, writers) {
      const before = changing(key);
      if (before !== undefined) await before;
      return inner.setIfAbsent(key, text, writers);
    },
    async delete(key, writers) {
      const before = changing(key, { isDeleted: true });
      if (before !== undefined) await before;
      return inner.delete(key, writers);
    },
    async range(range) {
      if (taken !== undefined) await Promise.all([...taken.kept.values()].map(async ({ reading }) => reading));
      return inner.range(range);
    },
  };

  async function* snapshot(): AsyncGenerator<readonly StoredText[]> {
    if (taken !== undefined) throw new StoreError('locked', 'store: another export is being made; wait until it has ended');
    const taking: Taken = { kept: new Map(), deleted: new Set(), passed: '', characters: 0, problem: undefined };
    taken = taking;
    try {
      for (let isLast = false; !isLast;) {
        const after = taking.passed === '' ? {} : { after: taking.passed };
        const page = await inner.range({ ...EVERY_KEY, ...after, limit: PAGE });
        isLast = page.length < PAGE;
        const texts = await asTaken(page, isLast ? undefined : page.at(-1)?.[0], taking);
        if (taking.problem !== undefined) throw taking.problem;
        if (texts.length > 0) yield texts;
        await yieldToEventLoop();
      }
    } finally {
      taken = undefined;
    }
  }
  return { backend, snapshot };
}

const TOO_MUCH = 'store: too much was written while the export was made; make it again';

/** Reads a page as it was when the snapshot began. `last` is undefined on the last page. */
async function asTaken(page: readonly StoredText[], last: string | undefined, taking: Taken): Promise<readonly StoredText[]> {
  const { kept, deleted } = taking;
  const gone = [...deleted].filter((key) => last === undefined || byBytes(key, last) <= 0);
  const changed = new Set([...gone, ...page.map(([key]) => key).filter((key) => kept.has(key))]);
  for (const key of changed) await kept.get(key)?.reading;
  const texts = new Map(page);
  for (const key of changed) {
    const one = kept.get(key);
    if (one?.text === undefined) texts.delete(key);
    else texts.set(key, one.text);
    // The snapshot has passed this key, so its old text is no longer needed.
    taking.characters -= one?.text?.length ?? 0;
    kept.delete(key);
    deleted.delete(key);
  }
  if (last !== undefined) taking.passed = last;
  return gone.length === 0 ? [...texts] : [...texts].toSorted(([a], [b]) => byBytes(a, b));
}
