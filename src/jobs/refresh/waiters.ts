/** This module keeps the callers that wait for a refresh. */
import type { RefreshEnd, RefreshProgress, WalletAddress } from '../../domain/wallet.js';
import type { FollowedJob } from './document.js';

export interface RefreshWaiter {
  /** Absent for all tokens. */
  readonly token?: string | undefined;
  /** The caller is automatic and accepts any snapshot. */
  readonly automatic?: boolean | undefined;
  readonly progress: (progress: RefreshProgress) => void;
  readonly done: (end: RefreshEnd) => void;
  readonly failed: (cause: unknown) => void;
}

export class Waiters {
  readonly #waiting = new Map<WalletAddress, readonly RefreshWaiter[]>();
  /** What a job brought while a later one goes on, for the waiters who are still there when that one must wait. */
  readonly #results = new Map<WalletAddress, RefreshEnd>();

  add(address: WalletAddress, waiter: RefreshWaiter): void {
    this.#keep(address, [...this.#of(address), waiter]);
  }

  remove(address: WalletAddress, waiter: RefreshWaiter): void {
    const others = this.#of(address).filter((other) => other !== waiter);
    this.#keep(address, others);
  }

  /** Returns the next waiter; one that a person asked for comes first. */
  first(address: WalletAddress): RefreshWaiter | undefined {
    const all = this.#of(address);
    return all.find(({ automatic }) => automatic !== true) ?? all[0];
  }

  all(): ReadonlySet<WalletAddress> {
    return new Set(this.#waiting.keys());
  }

  notify(address: WalletAddress, progress: RefreshProgress): void {
    for (const waiter of this.#of(address)) waiter.progress(progress);
  }

  /** Keeps a result for the case that nothing more follows. */
  keepResult(address: WalletAddress, end: RefreshEnd): void {
    if (this.#of(address).length > 0) this.#results.set(address, end);
  }

  /** Ends the waiters whom a job serves; without `job` all of them. */
  release(address: WalletAddress, end: RefreshEnd, job?: Pick<FollowedJob, 'token'>): void {
    const result = this.#results.get(address) ?? end;
    this.#results.delete(address);
    const isServed = ({ token }: RefreshWaiter): boolean => job?.token === undefined || job.token === token;
    const [served, others] = [this.#of(address).filter(isServed), this.#of(address).filter((waiter) => !isServed(waiter))];
    this.#keep(address, others);
    for (const waiter of served) waiter.done(end.kind === 'wait' ? result : end);
  }

  fail(address: WalletAddress, cause: unknown): void {
    const all = this.#of(address);
    this.#results.delete(address);
    this.#keep(address, []);
    for (const waiter of all) waiter.failed(cause);
  }

  #of(address: WalletAddress): readonly RefreshWaiter[] {
    return this.#waiting.get(address) ?? [];
  }

  #keep(address: WalletAddress, waiters: readonly RefreshWaiter[]): void {
    if (waiters.length === 0) this.#waiting.delete(address);
    else this.#waiting.set(address, waiters);
  }
}
