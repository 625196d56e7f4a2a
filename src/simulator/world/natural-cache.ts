/** Results of seed and pace, shared by worlds of that name, free of injected facts. */
import { boundedCache, type BoundedCache } from '../../base/bounded-cache.js';

interface Named {
  readonly name: string;
}

const NAMES = 4;

export function byNature<T>(size: number): (world: Named) => BoundedCache<T> {
  const names = boundedCache<BoundedCache<T>>(NAMES);
  return ({ name }) => names(name, () => boundedCache<T>(size));
}

/** Shared for natural results; per world with injected facts. */
export function layered<T>(size: number): (world: Named) => (isNatural: boolean) => BoundedCache<T> {
  const shared = byNature<T>(size);
  return (world) => {
    const [nature, own] = [shared(world), boundedCache<T>(size)];
    return (isNatural) => (isNatural ? nature : own);
  };
}
