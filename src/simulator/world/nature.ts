/** Results that depend on seed and pace only, cached for all worlds of the same name. They must not depend on injected facts. */
import { remember, type Memory } from '../../base/remember.js';

/** Seed and pace. */
interface Named {
  readonly name: string;
}

/** Maximum number of cached names. */
const NAMES = 4;

/** A cache per name. */
export function byNature<T>(size: number): (world: Named) => Memory<T> {
  const names = remember<Memory<T>>(NAMES);
  return ({ name }) => names(name, () => remember<T>(size));
}

/** A shared cache for natural results, and one per world for results that depend on injected facts. */
export function layered<T>(size: number): (world: Named) => (isNatural: boolean) => Memory<T> {
  const shared = byNature<T>(size);
  return (world) => {
    const [nature, own] = [shared(world), remember<T>(size)];
    return (isNatural) => (isNatural ? nature : own);
  };
}
