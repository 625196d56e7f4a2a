/** A store that dies: at its n-th write nothing is written, or it is and the caller is not answered; from then on every call fails, as in a killed process. */
import type { Store } from '../../src/store/store.js';
import { spread } from '../support/properties.js';

export interface CrashStore extends Store {
  /** Writes that were begun so far. */
  writes(): number;
  readonly dead: boolean;
}

export class StoreCrash extends Error {
  override readonly name = 'Death';
}

/** For the rejection of what ran on the store. */
export function falseIfCrashed(cause: unknown): false {
  if (cause instanceof StoreCrash) return false;
  throw cause;
}

export interface Death {
  readonly until: number;
  readonly written: boolean;
}

/** Those of a process that makes so many writes, before and after each of them; `.ci/run` tries all. */
export const deaths = (writes: number): readonly Death[] =>
  spread(Array.from({ length: writes }, (_, index) => [false, true].map((written) => ({ until: index + 1, written }))).flat());

/** `until` counts from 1; without it the store lives on and only counts. `written`: whether the last write still becomes durable. */
export function crashStore(base: Store, { until = Number.POSITIVE_INFINITY, written = false }: Partial<Death> = {}): CrashStore {
  let writes = 0;
  let dead = false;
  const alive = (): void => {
    if (dead) throw new StoreCrash('the process is gone');
  };
  const write = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    alive();
    writes += 1;
    if (writes < until) return work();
    if (written) await work();
    dead = true;
    throw new StoreCrash(`at write ${until}`);
  };
  return {
    copies: base.copies,
    collection: (spec) => {
      const inner = base.collection(spec);
      return {
        get: async (key) => {
          alive();
          return inner.get(key);
        },
        set: async (key, document) => write(async () => inner.set(key, document)),
        setIfAbsent: async (key, document) => write(async () => inner.setIfAbsent(key, document)),
        delete: async (key) => write(async () => inner.delete(key)),
        list: async (under) => {
          alive();
          return inner.list(under);
        },
        async *scan(under) {
          for await (const page of inner.scan(under)) {
            alive();
            yield page;
          }
        },
      };
    },
    check: async () => alive(),
    checkpoint: async () => alive(),
    close: async () => {},
    writes: () => writes,
    get dead() {
      return dead;
    },
  };
}
