/** Takes snapshots of a store in use: the old text of a changed key is kept until the snapshot has passed it (docs/decisions/0029-export-and-import.md). */
import { yieldToEventLoop } from '../base/yield.js';
import { byBytes, type Backend, type KeyRange, type StoredText } from './backend.js';
import { StoreError } from './store.js';

const PAGE = 50;
/** The largest size of all kept texts together, in characters. */
const MAX_KEPT = 128 * 1024 * 1024;

/** The range of all collections' keys. The store's own keys begin with a dot, which sorts before it. */
export const EVERY_KEY: KeyRange = { from: '0', to: '\u{10FFFF}' };
const isOwnKey = (key: string): boolean => key.startsWith('.');

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

/** Adds snapshots to a backend. While none is read, `backend` calls the inner one at once. */
export class Snapshots {
  readonly #inner: Backend;
  readonly #maxKept: number;
  #taken: Taken | undefined;
  /** The wrapped backend. All writes must go through it. */
  readonly backend: Backend;

  constructor(inner: Backend, maxKept = MAX_KEPT) {
    this.#inner = inner;
    this.#maxKept = maxKept;
    this.backend = {
      ...inner,
      get: async (key) => {
        const before = this.#taken?.kept.get(key);
        if (before !== undefined) await before.reading;
        return inner.get(key);
      },
      set: async (key, text, writers) => {
        const before = this.#changing(key);
        if (before !== undefined) await before;
        return inner.set(key, text, writers);
      },
      setIfAbsent: async (key, text, writers) => {
        const before = this.#changing(key);
        if (before !== undefined) await before;
        return inner.setIfAbsent(key, text, writers);
      },
      delete: async (key, writers) => {
        const before = this.#changing(key, { isDeleted: true });
        if (before !== undefined) await before;
        return inner.delete(key, writers);
      },
      range: async (range) => {
        if (this.#taken !== undefined) await Promise.all([...this.#taken.kept.values()].map(async ({ reading }) => reading));
        return inner.range(range);
      },
    };
  }

  async *snapshot(): AsyncGenerator<readonly StoredText[]> {
    if (this.#taken !== undefined) throw new StoreError('locked', 'store: another export is being made; wait until it has ended');
    const taking: Taken = { kept: new Map(), deleted: new Set(), passed: '', characters: 0, problem: undefined };
    this.#taken = taking;
    try {
      for (let isLast = false; !isLast;) {
        const after = taking.passed === '' ? {} : { after: taking.passed };
        const page = await this.#inner.range({ ...EVERY_KEY, ...after, limit: PAGE });
        isLast = page.length < PAGE;
        const texts = await asTaken(page, isLast ? undefined : page.at(-1)?.[0], taking);
        if (taking.problem !== undefined) throw taking.problem;
        if (texts.length > 0) yield texts;
        await yieldToEventLoop();
      }
    } finally {
      this.#taken = undefined;
    }
  }

  /** Keeps the old text before a write. Returns undefined if there is nothing to wait for. Writes of one key keep their order. */
  #changing(key: string, { isDeleted = false } = {}): Promise<void> | undefined {
    const taking = this.#taken;
    if (taking === undefined || taking.problem !== undefined || isOwnKey(key) || byBytes(key, taking.passed) <= 0) return undefined;
    if (isDeleted) taking.deleted.add(key);
    return (taking.kept.get(key) ?? this.#keep(taking, key)).reading;
  }

  #keep(taking: Taken, key: string): Kept {
    const kept: Kept = {
      text: undefined,
      reading: this.#inner.get(key).then(
        (text) => {
          kept.text = text;
          taking.characters += text?.length ?? 0;
          if (taking.characters > this.#maxKept) taking.problem ??= new StoreError('failed', TOO_MUCH);
        },
        (error: unknown) => void (taking.problem ??= error instanceof Error ? error : new Error(String(error))),
      ),
    };
    taking.kept.set(key, kept);
    return kept;
  }
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
