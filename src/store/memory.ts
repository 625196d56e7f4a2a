/** The `memory://` engine: Keyv on a Map, lost when the process ends. */
import { Keyv } from 'keyv';
import { byBytes, plainTexts, type Backend, type KeyRange, type StoredText } from './backend.js';

interface OrderedRange extends KeyRange {
  readonly keys: readonly string[];
}

export function openMemory(): Backend {
  const texts = new Map<string, string>();
  const keyv = new Keyv<string>({ ...plainTexts, store: texts });
  /** The sorted keys of the present scan, which may include deleted ones. */
  let read: OrderedRange | undefined;
  const keysOf = ({ from, to }: KeyRange): readonly string[] => {
    if (read?.from !== from || read.to !== to) {
      const keys = [...texts.keys()].filter((key) => isWithin({ from, to }, key)).toSorted(byBytes);
      read = { from, to, keys };
    }
    return read.keys;
  };
  /** The last write. */
  let begun: Promise<unknown> = Promise.resolve();
  const forget = (key: string): void => {
    if (read !== undefined && isWithin(read, key) && read.keys[firstNotBefore(read.keys, key)] !== key) read = undefined;
  };
  return {
    place: 'memory',
    get: async (key) => keyv.get(key),
    set: async (key, text) => {
      const written = keyv.set(key, text);
      begun = written;
      await written;
      forget(key);
    },
    setIfAbsent: async (key, text) => {
      // Keyv writes asynchronously. After this wait nothing runs between the test and the write.
      await begun;
      if (texts.has(key)) return false;
      texts.set(key, text);
      forget(key);
      return true;
    },
    delete: async (key) => {
      const deleted = keyv.delete(key);
      begun = deleted;
      await deleted;
    },
    range: async (range) => {
      const { after, limit = Number.POSITIVE_INFINITY } = range;
      const keys = keysOf(range);
      const entries: StoredText[] = [];
      let at = after === undefined ? 0 : firstNotBefore(keys, after);
      if (keys[at] === after) at += 1;
      for (; at < keys.length && entries.length < limit; at += 1) {
        const key = keys[at] ?? '';
        const text = texts.get(key);
        if (text !== undefined) entries.push([key, text]);
      }
      return entries;
    },
    checkpoint: async () => {},
    close: async () => {
      texts.clear();
      read = undefined;
    },
  };
}

function firstNotBefore(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (byBytes(keys[middle] ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isWithin = ({ from, to }: KeyRange, key: string): boolean => byBytes(from, key) <= 0 && byBytes(key, to) < 0;
