/** Caches of bounded size: of computations by key or by object, and of the values that were set last. */

/** Runs `compute` only for a key that is not cached. `compute` must be pure. */
export type BoundedCache<T> = (key: unknown, compute: () => T) => T;

interface Kept<T> {
  readonly value: T;
  used: boolean;
}

/** Makes a cache that evicts by second chance (CLOCK), where a hit only sets a flag. */
export function boundedCache<T>(size: number): BoundedCache<T> {
  const known = new Map<unknown, Kept<T>>();
  function makeRoom(): void {
    for (const [oldest, kept] of known) {
      if (known.size < size) return;
      known.delete(oldest);
      if (!kept.used) continue;
      kept.used = false;
      known.set(oldest, kept);
    }
  }
  return (key, compute) => {
    const found = known.get(key);
    if (found !== undefined) {
      found.used = true;
      return found.value;
    }
    const value = compute();
    makeRoom();
    known.set(key, { value, used: false });
    return value;
  };
}

/** Keeps the `size` values that were set last. Setting a key again makes it the newest; reading it does not. */
export class RecentMap<K, V> extends Map<K, V> {
  readonly #size: number;

  constructor(size: number) {
    super();
    this.#size = size;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.#size) return this;
    const [oldest] = this.entries();
    if (oldest !== undefined) this.delete(oldest[0]);
    return this;
  }
}

/** Caches a computation by object. The object must not change afterwards. */
export function memoize<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (of) => {
    const found = known.get(of);
    if (found !== undefined) return found.value;
    const value = compute(of);
    known.set(of, { value });
    return value;
  };
}
