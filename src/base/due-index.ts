/** Keeps keys by due time, in a binary heap. */
interface Entry<K> {
  readonly key: K;
  readonly at: number;
}

const MIN_COMPACTED = 64;

export class DueIndex<K> {
  readonly #current = new Map<K, Entry<K>>();
  /** Also contains replaced entries, until they are due or the heap is compacted. */
  readonly #heap: Entry<K>[] = [];

  /** Sets the due time of a key; undefined removes the key. */
  set(key: K, at: number | undefined): void {
    if (at === undefined) {
      this.#current.delete(key);
      return;
    }
    if (this.#current.get(key)?.at === at) return;
    const entry = { key, at };
    this.#current.set(key, entry);
    this.#push(entry);
    this.#compact();
  }

  take(now: number): readonly K[] {
    const due: K[] = [];
    while (this.#at(0) <= now) {
      const entry = this.#pop();
      if (entry === undefined || this.#current.get(entry.key) !== entry) continue;
      this.#current.delete(entry.key);
      due.push(entry.key);
    }
    return due;
  }

  get size(): number {
    return this.#current.size;
  }

  #at(index: number): number {
    return this.#heap[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return;
    this.#heap[one] = b;
    this.#heap[other] = a;
  }

  #push(entry: Entry<K>): void {
    let index = this.#heap.push(entry) - 1;
    for (let parent = (index - 1) >> 1; index > 0 && this.#at(parent) > this.#at(index); parent = (index - 1) >> 1) {
      this.#swap(index, parent);
      index = parent;
    }
  }

  #pop(): Entry<K> | undefined {
    this.#swap(0, this.#heap.length - 1);
    const first = this.#heap.pop();
    for (let index = 0; ;) {
      const child = this.#at(2 * index + 2) < this.#at(2 * index + 1) ? 2 * index + 2 : 2 * index + 1;
      if (this.#at(child) >= this.#at(index)) return first;
      this.#swap(index, child);
      index = child;
    }
  }

  #compact(): void {
    if (this.#heap.length <= 2 * this.#current.size + MIN_COMPACTED) return;
    this.#heap.splice(0);
    for (const entry of this.#current.values()) this.#push(entry);
  }
}
