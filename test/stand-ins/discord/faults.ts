/** What a test has planned to go wrong with the next calls. */
import type { Bus } from './bus.js';
import { fits } from './transcript.js';
import type { FaultWhen, RestFault, RestFaults } from './types.js';

interface Plan {
  readonly fault: RestFault;
  readonly when: FaultWhen;
  left: number;
  hits: number;
  readonly released: Promise<void>;
  readonly release: () => void;
}

export interface Strike {
  readonly fault: RestFault;
  /** Resolves when what hangs is to be cut. */
  readonly released: Promise<void>;
}

export interface Faults extends RestFaults {
  /** The fault planned for a call, spent by asking. */
  strike(method: string, path: string): Strike | undefined;
}

export function openFaults(bus: Bus): Faults {
  const plans = new Set<Plan>();
  const drop = (plan: Plan): void => {
    plan.left = 0;
    plan.release();
    plans.delete(plan);
  };
  return {
    next(fault, when = {}) {
      const { promise: released, resolve: release } = withResolvers();
      const plan: Plan = { fault, when, left: when.times ?? 1, hits: 0, released, release };
      plans.add(plan);
      const hit = bus.waitFor(() => plan.hits > 0).then(() => undefined);
      // Who never looks at it must not be alerted of it when the stand-in closes.
      hit.catch(() => undefined);
      return { hit, left: () => plan.left, clear: () => drop(plan) };
    },
    clear() {
      for (const plan of plans) drop(plan);
    },
    strike(method, path) {
      const plan = [...plans].find(({ left, when }) => left > 0 && (when.method ?? method) === method && fits(path, when.path));
      if (plan === undefined) return undefined;
      plan.left -= 1;
      plan.hits += 1;
      bus.happened();
      return { fault: plan.fault, released: plan.released };
    },
  };
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
