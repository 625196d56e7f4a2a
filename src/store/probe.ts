/** Writes a text of its own and reads it back. On a shared engine each process has its own key. */
import { randomUUID } from 'node:crypto';
import { startingWith, type Backend, type StoredText } from './backend.js';
import { StoreError } from './store.js';

/** No collection's prefix begins with a dot. */
const PROBE = '.probe';
const MAX_SWEPT = 1_000;

export interface StoreProbe {
  /** Rejects with a `StoreError`. */
  check(): Promise<void>;
  /** Deletes those of processes that ended without it: they have not changed since the last sweep. */
  sweep(): Promise<void>;
  /** One's own. Never rejects. */
  remove(): Promise<void>;
}

export function openProbe(backend: Pick<Backend, 'place' | 'get' | 'set' | 'delete' | 'range'>, isShared: boolean): StoreProbe {
  const key = isShared ? `${PROBE}/${randomUUID()}` : PROBE;
  let probes = 0;
  let seen: ReadonlyMap<string, string> = new Map();
  const isKept = async (): Promise<boolean> => {
    const mark = String((probes += 1));
    await backend.set(key, mark, 'any');
    // Checks may overlap, so a later value also passes.
    return Number(await backend.get(key)) >= Number(mark);
  };
  return {
    async check() {
      // Between the write and the read it may have been swept.
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
      if (isShared && probes > 0) await backend.delete(key, 'any').catch(() => {}); // The database may be away.
    },
  };
}
