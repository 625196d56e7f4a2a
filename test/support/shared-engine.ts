/** Several processes over one memory store, as a shared engine gives them: with a lease, fenced writes and counters, by a clock of the test. */
import PQueue from 'p-queue';
import type { Clock } from '../../src/base/clock.js';
import type { Backend } from '../../src/store/backend.js';
import { openMemory } from '../../src/store/memory.js';
import { storeOver } from '../../src/store/open.js';
import { StoreError, type SharedEngine, type Store, type Writers } from '../../src/store/store.js';
import { sharedLease } from './lease.js';

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

export function sharedEngineDouble(clock: Pick<Clock, 'now'>): SharedEngineDouble {
  const memory = openMemory();
  // A test and its write are one step, as in a transaction.
  const line = new PQueue({ concurrency: 1 });
  const atomically = async <T>(work: () => T | Promise<T>): Promise<T> => line.add(async () => work());
  const join = sharedLease(() => clock.now());

  const process = (): SharedProcess => {
    let isCut = false;
    let held: { readonly until: Promise<void>; readonly end: () => void } | undefined;

    const reach = async <T>(work: () => T | Promise<T>): Promise<T> => {
      if (held !== undefined) await held.until;
      if (isCut) throw new StoreError('failed', 'store: the shared engine of the test cannot be reached');
      return atomically(work);
    };
    const { shared, fence } = join(reach);
    const write = async <T>(writers: Writers = 'active', work: () => Promise<T>): Promise<T> =>
      reach(async () => {
        if (writers === 'active') fence();
        return work();
      });

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
