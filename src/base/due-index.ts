/** Keys by due time in a binary heap. */

export interface DueIndex<K> {
  /** Undefined removes it. */
  set(key: K, at: number | undefined): void;
  take(now: number): readonly K[];
  readonly size: number;
}

interface Entry<K> {
  readonly key: K;
  readonly at: number;
}

export function dueIndex<K>(): DueIndex<K> {
  const current = new Map<K, Entry<K>>();
  const heap: Entry<K>[] = [];
  const at = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  const swap = (one: number, other: number): void => {
    const [a, b] = [heap[one], heap[other]];
    if (a === undefined || b === undefined) return;
    heap[one] = b;
    heap[other] = a;
  };

  const push = (entry: Entry<K>): void => {
    let index = heap.push(entry) - 1;
    for (let parent = (index - 1) >> 1; index > 0 && at(parent) > at(index); parent = (index - 1) >> 1) {
      swap(index, parent);
      index = parent;
    }
  };
  const pop = (): Entry<K> | undefined => {
    swap(0, heap.length - 1);
    const first = heap.pop();
    for (let index = 0; ;) {
      const child = at(2 * index + 2) < at(2 * index + 1) ? 2 * index + 2 : 2 * index + 1;
      if (at(child) >= at(index)) return first;
      swap(index, child);
      index = child;
    }
  };
  const compact = (): void => {
    if (heap.length <= 2 * current.size + MIN_COMPACTED) return;
    heap.splice(0);
    for (const entry of current.values()) push(entry);
  };

  return {
    set(key, moment) {
      if (moment !== undefined && current.get(key)?.at === moment) return;
      if (moment === undefined) {
        current.delete(key);
        return;
      }
      const entry = { key, at: moment };
      current.set(key, entry);
      push(entry);
      compact();
    },
    take(now) {
      const due: K[] = [];
      while (at(0) <= now) {
        const entry = pop();
        if (entry === undefined || current.get(entry.key) !== entry) continue;
        current.delete(entry.key);
        due.push(entry.key);
      }
      return due;
    },
    get size() {
      return current.size;
    },
  };
}

const MIN_COMPACTED = 64;
