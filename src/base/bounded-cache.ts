/** A bounded cache of a pure computation. */

export type BoundedCache<T> = (key: unknown, compute: () => T) => T;

interface Kept<T> {
  readonly value: T;
  used: boolean;
}

/** Evicts by second chance (CLOCK): a hit only sets a flag. */
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
