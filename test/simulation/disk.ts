/** A disk that outlives processes. A write takes a moment; what is under way when its process is killed is durable or lost, write by write. */
import { storeOver } from '../../src/store/open.js';
import type { Backend, StoredText } from '../../src/store/backend.js';
import type { Store } from '../../src/store/store.js';
import type { Random } from './random.js';
import type { Life, Time } from './time.js';

export interface Disk {
  /** The store as one process has it open. */
  store(life: Life): Store;
  /** Settles the writes that were under way in killed processes. */
  crash(): void;
}

interface Pending {
  readonly key: string;
  readonly apply: () => void;
}

/** Milliseconds. */
const SLOWEST_WRITE = 20;

/** `began` is called for each write once it is under way. */
export function simulatedDisk({ time, random, began }: { time: Time; random: Random; began: () => void }): Disk {
  const texts = new Map<string, string>();
  const pending: Pending[] = [];

  const write = async (life: Life, { key, apply }: Pending): Promise<void> => {
    if (!life.isAlive()) return life.survive(Promise.resolve());
    const own: Pending = { key, apply };
    pending.push(own);
    began();
    await new Promise<void>((resolve) => {
      time.at(time.now() + random.whole(0, SLOWEST_WRITE), resolve);
    });
    // It was settled by a crash, or comes through together with what the same process wrote under this key before.
    if (pending.includes(own))
      for (const one of pending.filter((other, index) => other.key === key && index <= pending.indexOf(own))) {
        one.apply();
        pending.splice(pending.indexOf(one), 1);
      }
    return life.survive(Promise.resolve());
  };

  const backend = (life: Life): Backend => ({
    place: 'the simulated disk',
    get: async (key) => life.survive(Promise.resolve(texts.get(key))),
    set: async (key, text) => write(life, { key, apply: () => void texts.set(key, text) }),
    setIfAbsent: async (key, text) => {
      let isWritten = false;
      const apply = (): void => {
        isWritten = !texts.has(key);
        if (isWritten) texts.set(key, text);
      };
      await write(life, { key, apply });
      return isWritten;
    },
    delete: async (key) => write(life, { key, apply: () => void texts.delete(key) }),
    range: async ({ from, to, after = '', limit }) => {
      const entries: StoredText[] = [...texts.entries()].filter(([key]) => key >= from && key > after && key < to);
      return life.survive(Promise.resolve(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit)));
    },
    checkpoint: async () => life.survive(Promise.resolve()),
    close: async () => life.survive(Promise.resolve()),
  });

  return {
    store(life) {
      return { ...storeOver(backend(life)), check: async () => {} };
    },
    crash() {
      const lost = new Set<string>();
      for (const { key, apply } of pending.splice(0)) {
        // Writes of one key stay in order: after a lost one nothing else of it comes through.
        if (lost.has(key) || random.chance(0.5)) lost.add(key);
        else apply();
      }
    },
  };
}
