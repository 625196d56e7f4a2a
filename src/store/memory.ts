/** `memory://`: Keyv on a Map. Forgets everything when the process ends; for tests and for trying things out. */
import { Keyv } from 'keyv';
import type { Backend, Entry } from './backend.js';
import { plainTexts } from './text.js';

/** A new, empty place each time. */
export function openMemory(): Backend {
  const texts = new Map<string, string>();
  const keyv = new Keyv<string>({ ...plainTexts, store: texts });
  return {
    place: 'memory',
    get: async (key) => keyv.get(key),
    set: async (key, text) => {
      await keyv.set(key, text);
    },
    delete: async (key) => {
      await keyv.delete(key);
    },
    range: async (from, to) => {
      const entries: Entry[] = [...texts.entries()];
      return entries.filter(([key]) => byBytes(from, key) <= 0 && byBytes(key, to) < 0).toSorted(([a], [b]) => byBytes(a, b));
    },
    checkpoint: async () => {},
    close: async () => texts.clear(),
  };
}

/** JavaScript compares UTF-16 units, databases compare bytes; beyond the basic plane the two disagree. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
