/** What follows from seed and pace alone is computed once for all worlds of one name in a process. Nothing that was injected may enter. */
import { remember, type Memory } from '../../base/remember.js';

/** A world by the name that its seed and pace give it. */
interface Named {
  readonly name: string;
}

/** So many names are remembered at a time. */
const NAMES = 4;

/** A memory of the last so many results for each name of a world. */
export function byNature<T>(size: number): (world: Named) => Memory<T> {
  const names = remember<Memory<T>>(NAMES);
  return ({ name }) => names(name, () => remember<T>(size));
}

/** The same, and beside it a memory of each world's own for what follows from something injected. */
export function layered<T>(size: number): (world: Named) => (isNatural: boolean) => Memory<T> {
  const shared = byNature<T>(size);
  return (world) => {
    const [nature, own] = [shared(world), remember<T>(size)];
    return (isNatural) => (isNatural ? nature : own);
  };
}
