/**
 * The last good answer to each call: in memory for now, in the store for after a restart. It is kept as JSON text and parsed with its row's
 * schema like any other input, once while it is remembered (`parsed.ts`); a copy that a newer row can no longer read counts as absent.
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
  /** Keeps an answer; writing it goes on in the background, and a failure costs only the copy. */
  keep(key: string, kept: Kept): void;
  /** Resolves when everything kept so far is written. */
  settled(): Promise<void>;
}

export interface CacheOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: string;
}

/** Text in memory, in characters; the least recently used goes first. */
const MEMORY_LIMIT = 16 * 1024 * 1024;
/** Larger answers live in memory only. */
const STORED_SIZE_LIMIT = 512 * 1024;
const STORED_COUNT_LIMIT = 1_000;
const STORED_AGE_LIMIT = 14 * DAY;
const SWEEP_EVERY = HOUR;

export function createCache({ store, clock, log, source }: CacheOptions): Cache {
  const documents = store.collection({ prefix: 'answer', version: 1, schema: keptSchema });
  const writing = lanes();
  const memory = new Map<string, Kept>();
  let size = 0;
  let sweptAt: number | undefined;

  const remember = (key: string, kept: Kept): void => {
    size += kept.body.length - (memory.get(key)?.body.length ?? 0);
    memory.delete(key);
    memory.set(key, kept);
    for (const [oldest, { body }] of memory) {
      if (size <= MEMORY_LIMIT || oldest === key) break;
      memory.delete(oldest);
      size -= body.length;
    }
  };

  const fromStore = async (key: string): Promise<Kept | undefined> => {
    try {
      const found = await documents.get(key);
      return found?.source === source ? { at: found.at, body: found.body } : undefined;
    } catch (error) {
      log.warn('analytics.copy-unread', { key, error });
      return undefined;
    }
  };

  /** Drops what is too old, what is beyond the count, and what another service said. */
  const sweep = async (): Promise<void> => {
    const { found } = await documents.list();
    const newestFirst = found.toSorted(([, a], [, b]) => b.at - a.at);
    const old = newestFirst.filter(
      ([, kept], place) => place >= STORED_COUNT_LIMIT || kept.source !== source || clock.now() - kept.at > STORED_AGE_LIMIT,
    );
    for (const [key] of old) await documents.delete(key);
  };

  const write = async (key: string, kept: Kept): Promise<void> => {
    try {
      // A later answer may have come while this one waited for its turn.
      if (memory.get(key) === kept && kept.body.length <= STORED_SIZE_LIMIT) await documents.set(key, { source, ...kept });
      if (sweptAt !== undefined && clock.now() - sweptAt < SWEEP_EVERY) return;
      sweptAt = clock.now();
      await sweep();
    } catch (error) {
      log.warn('analytics.copy-unwritten', { key, error });
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
      void writing.run(key, async () => write(key, kept));
    },
    settled: async () => writing.idle(),
  };
}
