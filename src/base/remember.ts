/** Remembers the last so many results of a pure computation. Forgetting costs time, never truth. */

export function remember<T>(size: number): (key: unknown, compute: () => T) => T {
  const known = new Map<unknown, { readonly value: T }>();
  return (key, compute) => {
    const found = known.get(key) ?? { value: compute() };
    known.delete(key);
    known.set(key, found);
    for (const oldest of known.keys()) {
      if (known.size <= size) break;
      known.delete(oldest);
    }
    return found.value;
  };
}
