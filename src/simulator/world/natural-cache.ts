/** These results follow from seed and pace, without injected facts, so worlds of the same name share them. */
import { boundedCache, type BoundedCache } from '../../base/bounded-cache.js';

interface Named {
  readonly name: string;
}

const NAMES = 4;

export function byNature<T>(size: number): (world: Named) => BoundedCache<T> {
  const names = boundedCache<BoundedCache<T>>(NAMES);
  return ({ name }) => names(name, () => boundedCache<T>(size));
}

/** Worlds share natural results. Results with injected facts belong to one world. */
export function layered<T>(size: number): (world: Named) => (isNatural: boolean) => BoundedCache<T> {
  const shared = byNature<T>(size);
  return (world) => {
    const [nature, own] = [shared(world), boundedCache<T>(size)];
    return (isNatural) => (isNatural ? nature : own);
  };
}
