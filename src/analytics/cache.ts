/** The last good response per call, in memory and stored. */
import { z } from 'zod';
import { DAY, HOUR, type Clock } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import { instantSchema } from '../domain/scalars.js';
import type { Store } from '../store/store.js';

const keptSchema = z.object({
  /** Of another service: ignored. */
  source: z.string(),
  at: instantSchema,
  /** JSON text of `{data, meta}`, with long numbers as text. */
  body: z.string(),
});
export type Kept = Readonly<Omit<z.infer<typeof keptSchema>, 'source'>>;

export interface Cache {
  /** Regardless of age. A shared engine may have one newer than `freshFor` ms. */
  read(key: string, freshFor?: number): Promise<Kept | undefined>;
  /** With `storesAll` also stored; a failed write loses that copy. */
  keep(key: string, kept: Kept, isQuestion?: boolean): void;
  /** The next flush stores it. */
  use(key: string): void;
  /** Also deletes old ones once an hour. */
  flush(): Promise<void>;
  settled(): Promise<void>;
}

export interface CacheOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: string;
  readonly storesAll: boolean;
}

/** Characters. */
const MEMORY_LIMIT = 16 * 1024 * 1024;
/** Characters; longer ones stay in memory. */
const STORED_SIZE_LIMIT = 512 * 1024;
const STORED_COUNT_LIMIT = 1_000;
const STORED_AGE_LIMIT = 14 * DAY;
const SWEEP_EVERY = HOUR;

export function createCache({ store, clock, log, source, storesAll }: CacheOptions): Cache {
  const documents = store.collection({ prefix: 'answer', version: 1, schema: keptSchema, writers: 'any' });
  const writing = lanes();
  const memory = new Map<string, Kept>();
  const unwritten = new Set<string>();
  const written = new WeakSet<Kept>();
  let size = 0;
  let sweptAt: number | undefined;

  const remember = (key: string, kept: Kept): void => {
    size += kept.body.length - (memory.get(key)?.body.length ?? 0);
    memory.delete(key);
    memory.set(key, kept);
    for (const [oldest, dropped] of memory) {
      if (size <= MEMORY_LIMIT || oldest === key) break;
      // Store it before eviction: the store may hold an older one.
      if (unwritten.has(oldest)) begin(oldest, dropped);
      memory.delete(oldest);
      size -= dropped.body.length;
    }
  };

  const fromStore = async (key: string): Promise<Kept | undefined> => {
    try {
      // After pending writes of the key.
      const found = await writing.run(key, async () => documents.get(key));
      if (found?.source !== source) return undefined;
      const kept = { at: found.at, body: found.body };
      written.add(kept);
      return kept;
    } catch (error) {
      log.warn('analytics.copy-unread', { key, error });
      return undefined;
    }
  };

  const sweep = async (): Promise<void> => {
    const stored: { key: string; at: number; isOurs: boolean }[] = [];
    for await (const { found } of documents.scan())
      stored.push(...found.map(([key, kept]) => ({ key, at: kept.at, isOurs: kept.source === source })));
    const old = stored
      .toSorted((a, b) => b.at - a.at)
      .filter(({ at, isOurs }, place) => place >= STORED_COUNT_LIMIT || !isOurs || clock.now() - at > STORED_AGE_LIMIT);
    for (const { key } of old) await documents.delete(key);
  };

  const write = async (key: string, kept: Kept): Promise<void> => {
    // Skip it if a newer response has replaced it.
    if ((memory.get(key) ?? kept) !== kept || kept.body.length > STORED_SIZE_LIMIT) return;
    try {
      await documents.set(key, { source, ...kept });
    } catch (error) {
      log.warn('analytics.copy-unwritten', { key, error });
    }
  };
  const begin = (key: string, kept: Kept): void => {
    unwritten.delete(key);
    written.add(kept);
    void writing.run(key, async () => write(key, kept));
  };

  const settled = async (): Promise<void> => {
    for (const [key, kept] of memory) if (unwritten.has(key)) begin(key, kept);
    await writing.idle();
  };
  const sweepWhenDue = async (): Promise<void> => {
    if (sweptAt !== undefined && clock.now() - sweptAt < SWEEP_EVERY) return;
    sweptAt = clock.now();
    try {
      await sweep();
    } catch (error) {
      log.warn('analytics.copies-unswept', { error });
    }
  };

  return {
    async read(key, freshFor = Infinity) {
      const own = memory.get(key);
      const isOld = store.shared !== undefined && own !== undefined && clock.now() - own.at >= freshFor;
      const kept = own === undefined || isOld ? newer(own, await fromStore(key)) : own;
      // A newer one may have arrived during the read.
      const newest = newer(kept, memory.get(key));
      if (newest !== undefined) remember(key, newest);
      return newest;
    },
    keep(key, kept, isQuestion = false) {
      if (memory.get(key) === kept) return;
      remember(key, kept);
      if (storesAll || (store.shared !== undefined && isQuestion)) begin(key, kept);
    },
    use(key) {
      const kept = memory.get(key);
      if (kept !== undefined && !written.has(kept)) unwritten.add(key);
    },
    async flush() {
      await settled();
      await sweepWhenDue();
    },
    settled,
  };
}

const newer = (one: Kept | undefined, other: Kept | undefined): Kept | undefined =>
  one === undefined || (other !== undefined && other.at > one.at) ? other : one;
