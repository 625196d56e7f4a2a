/** A backend on a database server: groups writes in order, waits briefly for an unreachable server and holds the lease (docs/decisions/0031-shared-engines.md). */
import PQueue from 'p-queue';
import type { Backend } from './backend.js';
import { openGroupCommit, type GroupCommit, type Write, type WriteResults } from './group-commit.js';
import { moved, type ServerEngine, type Patience } from './server-engine.js';
import { StoreError, type StoreTrouble, type Writers } from './store.js';
import { randomUUID } from 'node:crypto';

/** The shortest timeout for the retry of a batch that the server refused because it came too late, in milliseconds. */
const MIN_LATE_MS = 1_000;

/** Troubles that one document of a batch may cause, so its writes are retried one by one. */
const SINGLE: ReadonlySet<StoreTrouble> = new Set(['failed', 'full']);

const isSingle = (error: unknown): boolean => error instanceof StoreError && SINGLE.has(error.trouble);

export function openServerBackend(engine: ServerEngine, patiently: Patience): Backend {
  const lease = new ServerLease(engine);
  const writer = new ServerWriter(engine, lease, patiently);
  return {
    place: engine.place,
    shared: {
      acquire: async (holder, ttlMs) => lease.acquire(holder, ttlMs),
      release: async () => lease.release(),
      holder: async () => engine.holder(),
      take: async (counter, rate) => patiently(async () => engine.take(counter, rate)),
      add: async (counter, amount, options) => engine.add(counter, amount, options),
    },
    inspect: async () => engine.inspect(),
    get: async (key) => {
      await writer.settled(key);
      return patiently(async () => engine.get(key));
    },
    set: async (key, text, writers) => void (await writer.add({ key, text }, writers)),
    setIfAbsent: async (key, text, writers) => writer.add({ key, text, ifAbsent: true }, writers),
    delete: async (key, writers) => void (await writer.add({ key, text: undefined }, writers)),
    range: async (range) => {
      await writer.settled();
      return patiently(async () => engine.range(range));
    },
    checkpoint: async () => engine.tidy(),
    close: async () => {
      await writer.idle();
      await engine.close();
    },
  };
}

interface Lane {
  readonly line: PQueue;
  readonly groups: GroupCommit;
}

/** Groups writes and keeps their order. */
class ServerWriter {
  readonly #engine: ServerEngine;
  readonly #lease: ServerLease;
  readonly #patiently: Patience;
  /** Each kind of writers has a lane of its own. All writers of a collection are of one kind, so no key is in two lanes. */
  readonly #lanes: Readonly<Record<Writers, Lane>>;
  /** The latest write of each key that is under way. */
  readonly #pending = new Map<string, Promise<unknown>>();

  constructor(engine: ServerEngine, lease: ServerLease, patiently: Patience) {
    this.#engine = engine;
    this.#lease = lease;
    this.#patiently = patiently;
    this.#lanes = { active: this.#laneOf('active'), any: this.#laneOf('any') };
  }

  async add(write: Write, writers: Writers = 'active'): Promise<boolean> {
    const written = this.#lanes[writers].groups.add(write);
    const settled = written
      .catch(() => {}) // The caller of the write handles the failure.
      .then(() => {
        if (this.#pending.get(write.key) === settled) this.#pending.delete(write.key);
      });
    this.#pending.set(write.key, settled);
    return written;
  }

  /** Resolves when the earlier writes of a key, or of all keys, are done, so that reads see them. */
  async settled(key?: string): Promise<void> {
    if (key === undefined) await Promise.all(this.#pending.values());
    else await this.#pending.get(key);
  }

  async idle(): Promise<void> {
    await Promise.all([this.#lanes.active.line.onIdle(), this.#lanes.any.line.onIdle()]);
  }

  #laneOf(writers: Writers): Lane {
    const line = new PQueue({ concurrency: 1 });
    const groups = openGroupCommit({ queue: async (job) => line.add(job), commit: async (writes) => this.#commit(writers, writes) });
    return { line, groups };
  }

  async #commit(writers: Writers, writes: readonly Write[]): Promise<WriteResults> {
    try {
      const last = [...new Map(writes.map((write) => [write.key, write])).values()];
      const kept = await this.#writeOnce(writers, last);
      return writes.map(({ key, ifAbsent }) => (ifAbsent === true && kept.has(key) ? false : undefined));
    } catch (error) {
      if (writes.length === 1 || !isSingle(error)) return writes.map(() => asError(error));
      const results: (Error | false | undefined)[] = [];
      for (const write of writes) results.push(...(await this.#commit(writers, [write])));
      return results;
    }
  }

  /** Writes a batch. Resolves with the keys at which `ifAbsent` found a document. */
  async #writeOnce(writers: Writers, writes: readonly Write[]): Promise<ReadonlySet<string>> {
    const engine = this.#engine;
    return this.#patiently(async (withinMs, attempt) => {
      const write = async (ms: number) =>
        engine.write({ lease: writers === 'active' ? this.#lease.fence() : undefined, writes, withinMs: ms });
      let result = await write(withinMs);
      // The server is reachable, but this process was busy or paused before it sent the batch, so it is sent again.
      if (result.kind === 'late') result = await write(Math.max(withinMs, MIN_LATE_MS));
      if (result.kind === 'superseded') throw this.#lease.lost();
      if (result.kind === 'moved') throw moved(engine.place);
      if (result.kind === 'late')
        throw new StoreError('unreachable', `store: ${engine.place} answered too late; what was to be stored then was not`);
      // An earlier attempt may have been committed although its answer was lost, so `kept` may be our own document.
      return attempt === 0 ? result.kept : keptByOthers(engine, writes, result.kept);
    });
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error('unknown', { cause: error }));

/** Returns the keys at which the found document differs from the one to be written. */
async function keptByOthers(engine: ServerEngine, writes: readonly Write[], kept: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const others = new Set<string>();
  for (const { key, text } of writes) if (kept.has(key) && (await engine.get(key)) !== text) others.add(key);
  return others;
}

/** The lease of one opened store, which holds at most one epoch in its life. */
class ServerLease {
  readonly #engine: Pick<ServerEngine, 'place' | 'acquire' | 'release'>;
  /** Lets the engine recognise the owner if the answer to an earlier request was lost. */
  readonly #owner = randomUUID();
  readonly #line = new PQueue({ concurrency: 1 });
  #epoch: number | undefined;
  #isOver = false;

  constructor(engine: Pick<ServerEngine, 'place' | 'acquire' | 'release'>) {
    this.#engine = engine;
  }

  async acquire(holder: string, ttlMs: number): Promise<{ readonly epoch: number } | undefined> {
    return this.#line.add(async () => {
      if (!(ttlMs > 0)) throw new RangeError('a lease lasts some milliseconds');
      if (this.#isOver) throw this.#superseded();
      const got = await this.#engine.acquire({ owner: this.#owner, holder, ttlMs });
      if (this.#epoch !== undefined && got?.epoch !== this.#epoch) throw this.lost();
      this.#epoch = got?.epoch;
      return got;
    });
  }

  async release(): Promise<void> {
    await this.#line.add(async () => {
      if (this.#epoch === undefined || this.#isOver) return;
      this.#isOver = true;
      await this.#engine.release(this.#owner);
    });
  }

  /** The fencing token of every write of the active process. Throws `superseded` without the lease. */
  fence(): { readonly owner: string; readonly epoch: number } {
    if (this.#isOver || this.#epoch === undefined) throw this.#superseded();
    return { owner: this.#owner, epoch: this.#epoch };
  }

  /** Called when the engine refused the epoch. Returns the error. */
  lost(): StoreError {
    this.#isOver = this.#epoch !== undefined;
    return this.#superseded();
  }

  #superseded(): StoreError {
    const { place } = this.#engine;
    return new StoreError(
      'superseded',
      `store: ${
        this.#isOver
          ? `this process no longer holds the lease of ${place}; another may have taken over, so nothing is written; start it again`
          : `this process does not hold the lease of ${place}, so it may not write this`
      }`,
    );
  }
}
