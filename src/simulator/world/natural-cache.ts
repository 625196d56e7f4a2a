/** Results that depend on seed and pace only, cached for all worlds of the same name. They must not depend on injected facts. */
import { boundedCache, type BoundedCache } from '../../base/bounded-cache.js';

/** Seed and pace. */
interface Named {
  readonly name: string;
}

/** Maximum number of cached names. */
const NAMES = 4;

/** A cache per name. */
export function byNature<T>(size: number): (world: Named) => BoundedCache<T> {
  const names = boundedCache<BoundedCache<T>>(NAMES);
  return ({ name }) => names(name, () => boundedCache<T>(size));
}

/** A shared cache for natural results, and one per world for results that depend on injected facts. */
export function layered<T>(size: number): (world: Named) => (isNatural: boolean) => BoundedCache<T> {
  const shared = byNature<T>(size);
  return (world) => {
    const [nature, own] = [shared(world), boundedCache<T>(size)];
    return (isNatural) => (isNatural ? nature : own);
  };
}
