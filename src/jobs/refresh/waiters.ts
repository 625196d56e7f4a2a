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

export interface Waiters {
  add(address: WalletAddress, waiter: RefreshWaiter): void;
  remove(address: WalletAddress, waiter: RefreshWaiter): void;
  /** Returns the next waiter; one that a person asked for comes first. */
  first(address: WalletAddress): RefreshWaiter | undefined;
  all(): ReadonlySet<WalletAddress>;
  notify(address: WalletAddress, progress: RefreshProgress): void;
  /** Nothing more follows. */
  keepResult(address: WalletAddress, end: RefreshEnd): void;
  /** Ends the waiters whom a job serves; without `job` all of them. */
  release(address: WalletAddress, end: RefreshEnd, job?: Pick<FollowedJob, 'token'>): void;
  fail(address: WalletAddress, cause: unknown): void;
}

export function createWaiters(): Waiters {
  const waiting = new Map<WalletAddress, readonly RefreshWaiter[]>();
  const keep = (address: WalletAddress, waiters: readonly RefreshWaiter[]): void => {
    if (waiters.length === 0) waiting.delete(address);
    else waiting.set(address, waiters);
  };
  const made = new Map<WalletAddress, RefreshEnd>();
  const of = (address: WalletAddress): readonly RefreshWaiter[] => waiting.get(address) ?? [];
  return {
    add: (address, waiter) => keep(address, [...of(address), waiter]),
    remove: (address, waiter) =>
      keep(
        address,
        of(address).filter((other) => other !== waiter),
      ),
    first: (address) => of(address).find(({ automatic }) => automatic !== true) ?? of(address)[0],
    all: () => new Set(waiting.keys()),
    notify(address, progress) {
      for (const waiter of of(address)) waiter.progress(progress);
    },
    keepResult(address, end) {
      if (of(address).length > 0) made.set(address, end);
    },
    release(address, end, job) {
      const result = made.get(address) ?? end;
      made.delete(address);
      const isServed = ({ token }: RefreshWaiter): boolean => job?.token === undefined || job.token === token;
      const served = of(address).filter(isServed);
      keep(
        address,
        of(address).filter((waiter) => !isServed(waiter)),
      );
      for (const waiter of served) waiter.done(end.kind === 'wait' ? result : end);
    },
    fail(address, cause) {
      const all = of(address);
      made.delete(address);
      keep(address, []);
      for (const waiter of all) waiter.failed(cause);
    },
  };
}
