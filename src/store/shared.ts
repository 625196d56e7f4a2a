/** An engine shared by several processes: a lease whose epoch fences writes, and atomic counters. */

/** One epoch per opened store: afterwards `acquire` rejects (`superseded`). */
export interface SharedEngine {
  /** Takes a free or expired lease, or extends one's own; undefined: another holds it. */
  acquire(holder: string, ttlMs: number): Promise<{ readonly epoch: number } | undefined>;
  /** Frees it at once for the next process, if still held. */
  release(): Promise<void>;
  /** Who holds it now and for how long yet; undefined: nobody. */
  holder(): Promise<LeaseHolder | undefined>;
  /** Atomic rate (GCRA). 0: granted; otherwise nothing is taken and the wait in ms. */
  take(counter: string, rate: CounterRate): Promise<number>;
  /** The new sum, or undefined above `limit`. Forgotten `ttlMs` after the first addition. */
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
