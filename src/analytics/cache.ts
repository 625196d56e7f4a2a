/**
 * The last good response to each call, in memory, and in the store for after a restart: all of them where calls are limited, else those that
 * questions were answered with. It is JSON text and parsed with its row's schema (`parsed.ts`); one that a newer row cannot read counts as absent.
 */
import { z } from 'zod';
import { DAY, HOUR, type Clock } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import { instantSchema } from '../domain/scalars.js';
import type { Store } from '../store/store.js';

const keptSchema = z.object({
  /** Which service it came from: answers of another one are not ours. */
  source: z.string(),
  /** When it arrived. */
  at: instantSchema,
  /** `{"data", "meta"}` as JSON text; numbers that JavaScript cannot hold are text in it. */
  body: z.string(),
});
export type Kept = Readonly<Omit<z.infer<typeof keptSchema>, 'source'>>;

export interface Cache {
  /** The kept answer, however old. */
  read(key: string): Promise<Kept | undefined>;
  /** Keeps a response. With `storesAll` it is written in the background; a failure costs only the stored copy. */
  keep(key: string, kept: Kept): void;
  /** A question was answered with the response of this key: the next flush writes it. */
  use(key: string): void;
  /** Writes what waits, and once an hour drops what is old. */
  flush(): Promise<void>;
  /** Writes what waits. Resolves when everything kept so far that is to be stored is written. */
  settled(): Promise<void>;
}

export interface CacheOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: string;
  /** Whether every response is stored at once, because asking again costs calls of a limited month. */
  readonly storesAll: boolean;
}

/** Text in memory, in characters; the least recently used goes first. */
const MEMORY_LIMIT = 16 * 1024 * 1024;
/** Larger answers live in memory only. */
const STORED_SIZE_LIMIT = 512 * 1024;
const STORED_COUNT_LIMIT = 1_000;
const STORED_AGE_LIMIT = 14 * DAY;
const SWEEP_EVERY = HOUR;

export function createCache({ store, clock, log, source, storesAll }: CacheOptions): Cache {
  const documents = store.collection({ prefix: 'answer', version: 1, schema: keptSchema });
  const writing = lanes();
  const memory = new Map<string, Kept>();
  /** Keys in memory whose response waits for the next flush. */
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
      // It would be read from the store next, which may hold an older one.
      if (unwritten.has(oldest)) begin(oldest, dropped);
      memory.delete(oldest);
      size -= dropped.body.length;
    }
  };

  const fromStore = async (key: string): Promise<Kept | undefined> => {
    try {
      // After a write of the same key that waits for its turn.
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

  /** Drops what is too old, what is beyond the count, and what another service said. */
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
    // A later response may have come while this one waited for its turn.
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
    async read(key) {
      const kept = memory.get(key) ?? (await fromStore(key));
      // Something newer may have been kept while the store was read.
      const newest = memory.get(key) ?? kept;
      if (newest !== undefined) remember(key, newest);
      return newest;
    },
    keep(key, kept) {
      if (memory.get(key) === kept) return;
      remember(key, kept);
      if (storesAll) begin(key, kept);
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
