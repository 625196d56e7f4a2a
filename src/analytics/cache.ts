/** Caches the last good response of each call, in memory and in the store. */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { DAY, HOUR, type Clock } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import { instantSchema } from '../domain/scalars.js';
import type { Collection, Store } from '../store/store.js';

const keptSchema = z.object({
  /** Names the service. Responses of another one are ignored. */
  source: z.string(),
  at: instantSchema,
  /** JSON text of `{data, meta}`, with long numbers as text. */
  body: z.string(),
});
export type Kept = Readonly<Omit<z.infer<typeof keptSchema>, 'source'>>;

export interface CacheOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: string;
  readonly storesAll: boolean;
}

/** The value is in characters. */
const MEMORY_LIMIT = 16 * 1024 * 1024;
/** The value is in characters. Longer responses are kept in memory only. */
const STORED_SIZE_LIMIT = 512 * 1024;
const STORED_COUNT_LIMIT = 1_000;
const STORED_AGE_LIMIT = 14 * DAY;
const SWEEP_EVERY = HOUR;

const answers = { prefix: 'answer', version: 1, schema: keptSchema, writers: 'any' } as const;

export class Cache {
  readonly #options: CacheOptions;
  readonly #documents: Collection<z.infer<typeof keptSchema>>;
  readonly #writing = lanes();
  readonly #memory;
  readonly #unwritten = new Set<string>();
  readonly #written = new WeakSet<Kept>();
  #sweptAt: number | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#documents = options.store.collection(answers);
    this.#memory = new LRUCache<string, Kept>({
      maxSize: MEMORY_LIMIT,
      sizeCalculation: ({ body }) => Math.max(1, body.length),
      // The store may have an older response, so this one is stored when it is evicted.
      disposeAfter: (kept, key, why) => {
        if (why === 'evict' && this.#unwritten.has(key)) this.#begin(key, kept);
      },
    });
  }

  /** Reads a copy of any age. If it is older than `freshFor` milliseconds, also looks for a newer one in a shared engine. */
  async read(key: string, freshFor = Infinity): Promise<Kept | undefined> {
    const { store, clock } = this.#options;
    const own = this.#memory.get(key);
    const isOld = store.shared !== undefined && own !== undefined && clock.now() - own.at >= freshFor;
    const kept = own === undefined || isOld ? newer(own, await this.#fromStore(key)) : own;
    // A newer response may have arrived during the read.
    const newest = newer(kept, this.#memory.get(key));
    if (newest !== undefined) this.#memory.set(key, newest);
    return newest;
  }

  /** Keeps a response in memory, with `storesAll` also in the store. A failed write is not repeated. */
  keep(key: string, kept: Kept, isQuestion = false): void {
    const { store, storesAll } = this.#options;
    if (this.#memory.get(key) === kept) return;
    this.#memory.set(key, kept);
    if (storesAll || (store.shared !== undefined && isQuestion)) this.#begin(key, kept);
  }

  /** Marks a response as used, so that the next flush stores it. */
  use(key: string): void {
    const kept = this.#memory.get(key);
    if (kept !== undefined && !this.#written.has(kept)) this.#unwritten.add(key);
  }

  /** Stores the used responses, and deletes old ones once an hour. */
  async flush(): Promise<void> {
    await this.settled();
    await this.#sweepWhenDue();
  }

  async settled(): Promise<void> {
    for (const [key, kept] of this.#memory) if (this.#unwritten.has(key)) this.#begin(key, kept);
    await this.#writing.idle();
  }

  async #fromStore(key: string): Promise<Kept | undefined> {
    try {
      // Runs after pending writes of the key.
      const found = await this.#writing.run(key, async () => this.#documents.get(key));
      if (found?.source !== this.#options.source) return undefined;
      const kept = { at: found.at, body: found.body };
      this.#written.add(kept);
      return kept;
    } catch (error) {
      this.#options.log.warn('analytics.copy-unread', { key, error });
      return undefined;
    }
  }

  #begin(key: string, kept: Kept): void {
    this.#unwritten.delete(key);
    this.#written.add(kept);
    void this.#writing.run(key, async () => this.#write(key, kept));
  }

  async #write(key: string, kept: Kept): Promise<void> {
    // A newer response has replaced this one, so it is not stored.
    if ((this.#memory.get(key) ?? kept) !== kept || kept.body.length > STORED_SIZE_LIMIT) return;
    try {
      await this.#documents.set(key, { source: this.#options.source, ...kept });
    } catch (error) {
      this.#options.log.warn('analytics.copy-unwritten', { key, error });
    }
  }

  async #sweepWhenDue(): Promise<void> {
    const { clock, log } = this.#options;
    if (this.#sweptAt !== undefined && clock.now() - this.#sweptAt < SWEEP_EVERY) return;
    this.#sweptAt = clock.now();
    try {
      await this.#sweep();
    } catch (error) {
      log.warn('analytics.copies-unswept', { error });
    }
  }

  async #sweep(): Promise<void> {
    const { clock, source } = this.#options;
    const stored: { key: string; at: number; isOurs: boolean }[] = [];
    for await (const { found } of this.#documents.scan())
      stored.push(...found.map(([key, kept]) => ({ key, at: kept.at, isOurs: kept.source === source })));
    const old = stored
      .toSorted((a, b) => b.at - a.at)
      .filter(({ at, isOurs }, place) => place >= STORED_COUNT_LIMIT || !isOurs || clock.now() - at > STORED_AGE_LIMIT);
    for (const { key } of old) await this.#documents.delete(key);
  }
}

const newer = (one: Kept | undefined, other: Kept | undefined): Kept | undefined =>
  one === undefined || (other !== undefined && other.at > one.at) ? other : one;
