/**
 * A disk that outlives processes. A write takes a moment; what is under way when its process is killed is durable or lost, write by write. Several
 * processes may share it under a lease, as they share a database server.
 */
import { storeOver } from '../../../src/store/open.js';
import { byBytes, type Backend } from '../../../src/store/backend.js';
import { StoreError, type Store, type Writers } from '../../../src/store/store.js';
import { sharedLease, type LeaseHolder } from '../../support/lease.js';
import type { Random } from './random.js';
import type { Life, Time } from './time.js';

export interface Disk {
  /** The store as one process has it open. `isShared`: beside others, under a lease. */
  store(life: Life, isShared?: boolean): Store;
  /** Settles the writes that were under way in a killed process. */
  crash(life: Life): void;
  /** From now on writes fail, some of them after they became durable. */
  fails(isFailing: boolean): void;
  readonly failures: () => number;
}

interface Pending {
  readonly key: string;
  readonly life: Life;
  readonly apply: () => void;
}

/** Milliseconds. */
const SLOWEST_WRITE = 20;

/** `began` is called for each write once it is under way. */
export function simulatedDisk({ time, random, began }: { time: Time; random: Random; began: () => void }): Disk {
  const texts = new Map<string, string>();
  const pending: Pending[] = [];
  const join = sharedLease(() => time.now());
  let isFailing = false;
  let failures = 0;

  const moment = async (): Promise<void> =>
    new Promise((resolve) => {
      time.at(time.now() + random.whole(0, SLOWEST_WRITE), resolve);
    });

  /** `fence` throws when the process may not write any more. */
  const write = async (life: Life, { key, apply, fence }: Omit<Pending, 'life'> & { fence: () => void }): Promise<void> => {
    if (!life.isAlive()) return life.survive(Promise.resolve());
    const own: Pending = { key, life, apply };
    pending.push(own);
    began();
    await moment();
    const fails = isFailing && random.chance(0.5);
    // It was settled by a crash, or comes through together with what the same process wrote under this key before.
    if (pending.includes(own))
      for (const one of pending.filter((other, index) => other.key === key && other.life === life && index <= pending.indexOf(own))) {
        pending.splice(pending.indexOf(one), 1);
        if (life.isAlive()) fence();
        if (!fails || random.chance(0.5)) one.apply();
      }
    if (fails) {
      failures += 1;
      if (life.isAlive()) throw new StoreError('failed', 'store: the simulated disk fails');
    }
    return life.survive(Promise.resolve());
  };

  const backend = (life: Life, engine: LeaseHolder | undefined): Backend => {
    const fence =
      (writers: Writers = 'active') =>
      () => {
        if (writers === 'active') engine?.fence();
      };
    return {
      place: 'the simulated disk',
      ...(engine === undefined ? {} : { shared: engine.shared }),
      get: async (key) => life.survive(Promise.resolve(texts.get(key))),
      set: async (key, text, writers) => write(life, { key, apply: () => void texts.set(key, text), fence: fence(writers) }),
      setIfAbsent: async (key, text, writers) => {
        let isWritten = false;
        const apply = (): void => {
          isWritten = !texts.has(key);
          if (isWritten) texts.set(key, text);
        };
        await write(life, { key, apply, fence: fence(writers) });
        return isWritten;
      },
      delete: async (key, writers) => write(life, { key, apply: () => void texts.delete(key), fence: fence(writers) }),
      range: async ({ from, to, after = '', limit }) => {
        const keys = [...texts.keys()].filter((key) => key >= from && key > after && key < to).toSorted(byBytes);
        return life.survive(Promise.resolve(keys.slice(0, limit).map((key) => [key, texts.get(key) ?? ''] as const)));
      },
      checkpoint: async () => life.survive(Promise.resolve()),
      close: async () => life.survive(Promise.resolve()),
    };
  };

  const engineOf = (life: Life): LeaseHolder =>
    join(async (work) => {
      await moment();
      return life.survive(Promise.resolve().then(work));
    });

  return {
    store: (life, isShared = false) => ({ ...storeOver(backend(life, isShared ? engineOf(life) : undefined)), check: async () => {} }),
    fails: (fails) => {
      isFailing = fails;
    },
    failures: () => failures,
    crash(life) {
      const lost = new Set<string>();
      for (const one of pending.filter((other) => other.life === life)) {
        pending.splice(pending.indexOf(one), 1);
        // Writes of one key stay in order: after a lost one nothing else of it comes through.
        if (lost.has(one.key) || random.chance(0.5)) lost.add(one.key);
        else one.apply();
      }
    },
  };
}
