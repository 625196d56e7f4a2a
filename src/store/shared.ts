/** What an engine offers when several processes share it: a lease with an epoch that fences writes, and atomic counters. */

/** One epoch per opened store: after it was lost or released, `acquire` rejects (`superseded`), as what this process remembers may be outdated. */
export interface SharedEngine {
  /** Takes a free or expired lease, or extends one's own; undefined: another process holds it. Every later write of this process carries the epoch. */
  acquire(holder: string, ttlMs: number): Promise<{ readonly epoch: number } | undefined>;
  /** Frees it at once for the next process, if still held. */
  release(): Promise<void>;
  /** Who holds it now and for how long yet; undefined: nobody. */
  holder(): Promise<LeaseHolder | undefined>;
  /** Atomic rate (GCRA): one per `intervalMs`, `burst` at once. 0: granted; otherwise nothing is taken and the wait in ms. */
  take(counter: string, rate: CounterRate): Promise<number>;
  /** Adds unless the sum would exceed `limit`; the new sum, or undefined if refused. Forgotten `ttlMs` after the first addition. */
  add(counter: string, amount: number, options: CounterLimit): Promise<number | undefined>;
}

export interface LeaseHolder {
  readonly holder: string;
  readonly epoch: number;
  readonly remainingMs: number;
}

export interface CounterRate {
  readonly intervalMs: number;
  readonly burst: number;
}

export interface CounterLimit {
  readonly limit: number;
  readonly ttlMs: number;
}
