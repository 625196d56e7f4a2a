/** Remembers the last so many results of a pure computation. Forgetting costs time, never truth. */

export function remember<T>(size: number): (key: string, compute: () => T) => T {
  const known = new Map<string, { readonly value: T }>();
  return (key, compute) => {
    const found = known.get(key) ?? { value: compute() };
    known.delete(key);
    known.set(key, found);
    if (known.size > size) for (const oldest of [...known.keys()].slice(0, known.size - size)) known.delete(oldest);
    return found.value;
  };
}
