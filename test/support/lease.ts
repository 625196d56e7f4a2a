/** The lease, rates and sums that processes of a simulated engine share, by a clock of the test. */
import { StoreError, type SharedEngine } from '../../src/store/store.js';

interface Lease {
  readonly holder: string;
  readonly epoch: number;
  readonly until: number;
}

interface Sum {
  readonly sum: number;
  readonly until: number;
}

/** Runs `work` as one step of the engine, where and when the process reaches it. */
type Reach = <T>(work: () => T) => Promise<T>;

export interface LeaseHolder {
  readonly shared: SharedEngine;
  /** Throws when the process may not write any more. */
  fence(): void;
}

const superseded = (): StoreError =>
  new StoreError('superseded', 'store: another process holds the lease; this one writes nothing any more and must be started again');

/** Gives what one more process has of it. */
export function sharedLease(now: () => number): (reach: Reach) => LeaseHolder {
  let lease: Lease = { holder: '', epoch: 0, until: 0 };
  const rates = new Map<string, number>();
  const sums = new Map<string, Sum>();

  return (reach) => {
    let epoch: number | undefined;
    /** A lost or released lease is not taken again. */
    let isOver = false;
    return {
      fence() {
        if (!isOver && epoch === lease.epoch) return;
        isOver ||= epoch !== undefined;
        throw superseded();
      },
      shared: {
        acquire: async (holder, ttlMs) =>
          reach(() => {
            isOver ||= epoch !== undefined && epoch !== lease.epoch;
            if (isOver) throw superseded();
            if (epoch === undefined && lease.until > now()) return undefined;
            lease = { holder, epoch: epoch ?? lease.epoch + 1, until: now() + ttlMs };
            epoch = lease.epoch;
            return { epoch };
          }),
        release: async () =>
          reach(() => {
            if (epoch === undefined || isOver) return;
            isOver = true;
            // The epoch moves at once, so that a write that is under way cannot come through later.
            if (epoch === lease.epoch) lease = { holder: '', epoch: epoch + 1, until: 0 };
          }),
        holder: async () =>
          reach(() => {
            const remainingMs = lease.until - now();
            return remainingMs > 0 ? { holder: lease.holder, epoch: lease.epoch, remainingMs } : undefined;
          }),
        take: async (counter, { intervalMs, burst }) =>
          reach(() => {
            const due = Math.max(rates.get(counter) ?? now(), now());
            const waitMs = due - (burst - 1) * intervalMs - now();
            if (waitMs > 0) return waitMs;
            rates.set(counter, due + intervalMs);
            return 0;
          }),
        add: async (counter, amount, { limit, ttlMs }) =>
          reach(() => {
            const known = sums.get(counter);
            const before = known !== undefined && known.until > now() ? known : { sum: 0, until: now() + ttlMs };
            const sum = before.sum + amount;
            if (sum > limit) return undefined;
            sums.set(counter, { ...before, sum });
            return sum;
          }),
      },
    };
  };
}
