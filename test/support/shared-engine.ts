/** Several processes over one memory store, as a shared engine gives them: with a lease, fenced writes and counters, by a clock of the test. */
import PQueue from 'p-queue';
import type { Clock } from '../../src/base/clock.js';
import type { Backend } from '../../src/store/backend.js';
import { openMemory } from '../../src/store/memory.js';
import { storeOver } from '../../src/store/open.js';
import type { SharedEngine } from '../../src/store/shared.js';
import { StoreError, type Store, type Writers } from '../../src/store/store.js';

/** One process as its engine sees it. */
export interface SharedProcess {
  readonly store: Store & { readonly shared: SharedEngine };
  /** The network is cut: every call fails, and nothing is written. */
  cut(): void;
  /** The process is paused or the network is slow: calls reach the engine when `restore` is called. */
  hold(): void;
  restore(): void;
}

export interface SharedEngineDouble {
  /** One more process. Closing its store leaves the data to the others. */
  process(): SharedProcess;
}

const superseded = (): StoreError =>
  new StoreError('superseded', 'store: another process holds the lease; this one writes nothing any more and must be started again');

interface Lease {
  readonly holder: string;
  readonly epoch: number;
  readonly until: number;
}

interface Sum {
  readonly sum: number;
  readonly until: number;
}

export function sharedEngineDouble(clock: Pick<Clock, 'now'>): SharedEngineDouble {
  const memory = openMemory();
  // A test and its write are one step, as in a transaction.
  const line = new PQueue({ concurrency: 1 });
  const atomically = async <T>(work: () => T | Promise<T>): Promise<T> => line.add(async () => work());
  let lease: Lease = { holder: '', epoch: 0, until: 0 };
  const rates = new Map<string, number>();
  const sums = new Map<string, Sum>();

  const process = (): SharedProcess => {
    let isCut = false;
    let held: { readonly until: Promise<void>; readonly end: () => void } | undefined;
    let epoch: number | undefined;
    /** A lost or released lease is not taken again. */
    let isOver = false;

    const reach = async <T>(work: () => T | Promise<T>): Promise<T> => {
      if (held !== undefined) await held.until;
      if (isCut) throw new StoreError('failed', 'store: the shared engine of the test cannot be reached');
      return atomically(work);
    };
    const write = async <T>(writers: Writers = 'active', work: () => Promise<T>): Promise<T> =>
      reach(async () => {
        if (writers === 'active' && (isOver || epoch !== lease.epoch)) {
          isOver = epoch !== undefined;
          throw superseded();
        }
        return work();
      });

    const shared: SharedEngine = {
      acquire: async (holder, ttlMs) =>
        reach(() => {
          isOver ||= epoch !== undefined && epoch !== lease.epoch;
          if (isOver) throw superseded();
          const now = clock.now();
          if (epoch === undefined && lease.until > now) return undefined;
          lease = { holder, epoch: epoch ?? lease.epoch + 1, until: now + ttlMs };
          epoch = lease.epoch;
          return { epoch };
        }),
      release: async () =>
        reach(() => {
          if (epoch === undefined || isOver) return;
          isOver = true;
          // The epoch moves at once, so that a write that is under way cannot come through later.
          if (epoch === lease.epoch) lease = { holder: '', epoch: epoch + 1, until: 0 };
        }),
      holder: async () =>
        reach(() => {
          const remainingMs = lease.until - clock.now();
          return remainingMs > 0 ? { holder: lease.holder, epoch: lease.epoch, remainingMs } : undefined;
        }),
      take: async (counter, { intervalMs, burst }) =>
        reach(() => {
          const now = clock.now();
          const due = Math.max(rates.get(counter) ?? now, now);
          const waitMs = due - (burst - 1) * intervalMs - now;
          if (waitMs > 0) return waitMs;
          rates.set(counter, due + intervalMs);
          return 0;
        }),
      add: async (counter, amount, { limit, ttlMs }) =>
        reach(() => {
          const now = clock.now();
          const known = sums.get(counter);
          const before = known !== undefined && known.until > now ? known : { sum: 0, until: now + ttlMs };
          const sum = before.sum + amount;
          if (sum > limit) return undefined;
          sums.set(counter, { ...before, sum });
          return sum;
        }),
    };
    const backend: Backend = {
      place: 'the shared engine of the test',
      shared,
      get: async (key) => reach(async () => memory.get(key)),
      set: async (key, text, writers) => write(writers, async () => memory.set(key, text)),
      setIfAbsent: async (key, text, writers) => write(writers, async () => memory.setIfAbsent(key, text)),
      delete: async (key, writers) => write(writers, async () => memory.delete(key)),
      range: async (range) => reach(async () => memory.range(range)),
      checkpoint: async () => {},
      close: async () => {},
    };
    const store = storeOver(backend);
    return {
      store: { ...store, shared: store.shared ?? shared },
      cut: () => {
        isCut = true;
      },
      hold: () => {
        let end = (): void => {};
        const until = new Promise<void>((resolve) => {
          end = resolve;
        });
        held ??= { until, end };
      },
      restore: () => {
        isCut = false;
        held?.end();
        held = undefined;
      },
    };
  };
  return { process };
}
