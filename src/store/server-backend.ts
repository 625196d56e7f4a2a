/** A backend over a database server: writes in order and in groups, a short patience, the lease (docs/decisions/0031-shared-engines.md). */
import PQueue from 'p-queue';
import type { Backend } from './backend.js';
import { openGroupCommit, type Write, type WriteResults } from './group-commit.js';
import { moved, type ServerEngine } from './server-engine.js';
import type { Patience } from './server-patience.js';
import { StoreError, type SharedEngine, type StoreTrouble, type Writers } from './store.js';
import { randomUUID } from 'node:crypto';

/** The least time for a batch that the server refused as late. */
const MIN_LATE_MS = 1_000;

/** May be due to one document of a batch. */
const SINGLE: ReadonlySet<StoreTrouble> = new Set(['failed', 'full']);

const isSingle = (error: unknown): boolean => error instanceof StoreError && SINGLE.has(error.trouble);

export function openServerBackend(engine: ServerEngine, patiently: Patience): Backend {
  const { place } = engine;
  const lease = openServerLease(engine);
  /** The keys that were left alone. */
  const writeOnce = async (writers: Writers, writes: readonly Write[]): Promise<ReadonlySet<string>> =>
    patiently(async (withinMs, attempt) => {
      const write = async (ms: number) => engine.write({ lease: writers === 'active' ? lease.fence() : undefined, writes, withinMs: ms });
      let result = await write(withinMs);
      // The server is there, and this process was busy or paused before it sent the batch.
      if (result.kind === 'late') result = await write(Math.max(withinMs, MIN_LATE_MS));
      if (result.kind === 'superseded') throw lease.lost();
      if (result.kind === 'moved') throw moved(place);
      if (result.kind === 'late')
        throw new StoreError('unreachable', `store: ${place} answered too late; what was to be stored then was not`);
      // An earlier attempt may have been committed although its answer was lost.
      return attempt === 0 ? result.kept : keptByOthers(engine, writes, result.kept);
    });

  const commit = async (writers: Writers, writes: readonly Write[]): Promise<WriteResults> => {
    try {
      const last = [...new Map(writes.map((write) => [write.key, write])).values()];
      const kept = await writeOnce(writers, last);
      return writes.map(({ key, ifAbsent }) => (ifAbsent === true && kept.has(key) ? false : undefined));
    } catch (error) {
      if (writes.length === 1 || !isSingle(error)) return writes.map(() => asError(error));
      const results: (Error | false | undefined)[] = [];
      for (const write of writes) results.push(...(await commit(writers, [write])));
      return results;
    }
  };

  const laneOf = (writers: Writers) => {
    const line = new PQueue({ concurrency: 1 });
    const groups = openGroupCommit({ queue: async (job) => line.add(job), commit: async (writes) => commit(writers, writes) });
    return { line, groups };
  };
  // No key is in both: a collection has one kind of writers.
  const lanes = { active: laneOf('active'), any: laneOf('any') };

  /** Reads wait for the writes of their key called before. */
  const pending = new Map<string, Promise<unknown>>();
  const add = async (write: Write, writers: Writers = 'active'): Promise<boolean> => {
    const written = lanes[writers].groups.add(write);
    const settled = written
      .catch(() => {}) // Its caller gets the failure.
      .then(() => {
        if (pending.get(write.key) === settled) pending.delete(write.key);
      });
    pending.set(write.key, settled);
    return written;
  };

  return {
    place,
    shared: {
      acquire: lease.acquire,
      release: lease.release,
      holder: lease.holder,
      take: async (counter, rate) => patiently(async () => engine.take(counter, rate)),
      add: async (counter, amount, options) => engine.add(counter, amount, options),
    },
    inspect: async () => engine.inspect(),
    get: async (key) => {
      await pending.get(key);
      return patiently(async () => engine.get(key));
    },
    set: async (key, text, writers) => void (await add({ key, text }, writers)),
    setIfAbsent: async (key, text, writers) => add({ key, text, ifAbsent: true }, writers),
    delete: async (key, writers) => void (await add({ key, text: undefined }, writers)),
    range: async (range) => {
      await Promise.all(pending.values());
      return patiently(async () => engine.range(range));
    },
    checkpoint: async () => engine.tidy(),
    close: async () => {
      await Promise.all([lanes.active.line.onIdle(), lanes.any.line.onIdle()]);
      await engine.close();
    },
  };
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error('unknown', { cause: error }));

/** The keys at which another document was found than the one to be written. */
async function keptByOthers(engine: ServerEngine, writes: readonly Write[], kept: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const others = new Set<string>();
  for (const { key, text } of writes) if (kept.has(key) && (await engine.get(key)) !== text) others.add(key);
  return others;
}

interface ServerLease extends Pick<SharedEngine, 'acquire' | 'release' | 'holder'> {
  /** What the writes of the active process carry. Throws `superseded` without the lease. */
  fence(): { readonly owner: string; readonly epoch: number };
  /** The engine refused the epoch. */
  lost(): StoreError;
}

/** The lease as one process sees it: one epoch in its life. */
function openServerLease(engine: Pick<ServerEngine, 'place' | 'acquire' | 'release' | 'holder'>): ServerLease {
  // Recognised by the engine when the answer to a request was lost.
  const owner = randomUUID();
  const line = new PQueue({ concurrency: 1 });
  let epoch: number | undefined;
  let isOver = false;

  const superseded = (): StoreError =>
    new StoreError(
      'superseded',
      `store: ${
        isOver
          ? `this process no longer holds the lease of ${engine.place}; another may have taken over, so nothing is written; start it again`
          : `this process does not hold the lease of ${engine.place}, so it may not write this`
      }`,
    );
  const lost = (): StoreError => {
    isOver = epoch !== undefined;
    return superseded();
  };

  const acquire = async (request: { readonly holder: string; readonly ttlMs: number }): Promise<{ readonly epoch: number } | undefined> =>
    line.add(async () => {
      if (!(request.ttlMs > 0)) throw new RangeError('a lease lasts some milliseconds');
      if (isOver) throw superseded();
      const got = await engine.acquire({ owner, ...request });
      if (epoch !== undefined && got?.epoch !== epoch) throw lost();
      epoch = got?.epoch;
      return got;
    });

  return {
    fence() {
      if (isOver || epoch === undefined) throw superseded();
      return { owner, epoch };
    },
    lost,
    acquire: async (holder, ttlMs) => acquire({ holder, ttlMs }),
    release: async () =>
      line.add(async () => {
        if (epoch === undefined || isOver) return;
        isOver = true;
        await engine.release(owner);
      }),
    holder: async () => engine.holder(),
  };
}
