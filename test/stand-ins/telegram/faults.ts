/** Plans for what goes wrong, and which plan the next call meets. */
import type { Fault, FaultPlan } from './control.js';

export interface Faults {
  plan(plan: FaultPlan): () => void;
  /** Uses up one stroke of the first plan that fits. */
  next(call: { readonly method: string; readonly chat: number | undefined }): Fault | undefined;
  mend(): void;
}

const NAMED = ['getUpdates', 'file', 'webhook'];

export function createFaults(): Faults {
  let plans: { readonly plan: FaultPlan; left: number }[] = [];
  return {
    plan(plan) {
      const entry = { plan, left: plan.times === 'always' ? Number.POSITIVE_INFINITY : (plan.times ?? 1) };
      plans.push(entry);
      return () => {
        plans = plans.filter((other) => other !== entry);
      };
    },
    next({ method, chat }) {
      const entry = plans.find(({ plan }) => {
        // A poll or a download is hit only when it is named: a fault for "the next call" means the next thing the bot wants to do.
        const meant = plan.method === undefined ? !NAMED.includes(method) : plan.method.toLowerCase() === method.toLowerCase();
        return meant && (plan.chat === undefined || plan.chat === chat);
      });
      if (!entry) return undefined;
      entry.left -= 1;
      if (entry.left <= 0) plans = plans.filter((other) => other !== entry);
      return entry.plan.fault;
    },
    mend() {
      plans = [];
    },
  };
}
