/** On a shared engine: holds the lease during a piece of work. */
import { hostname } from 'node:os';
import type { Clock } from '../../base/clock.js';
import { StoreError, type Store } from '../../store/store.js';

const LEASE_MS = 30_000;

/** Rejects with `locked` while a bot is active. */
export async function owning<Result>({ shared }: Store, clock: Clock, work: () => Promise<Result>): Promise<Result> {
  if (shared === undefined) return work();
  const holder = `a backup on ${hostname()}`;
  if ((await shared.acquire(holder, LEASE_MS)) === undefined) {
    const active = (await shared.holder())?.holder ?? 'another process';
    throw new StoreError('locked', `store: ${active} is active on this database; stop it first`);
  }
  const ended = new AbortController();
  const renewing = (async () => {
    // Once the lease is lost the next write fails.
    while (await asleep(clock, LEASE_MS / 3, ended.signal)) await shared.acquire(holder, LEASE_MS).catch(() => undefined);
  })();
  try {
    return await work();
  } finally {
    ended.abort();
    await renewing;
    await shared.release();
  }
}

const asleep = async (clock: Clock, milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  clock.sleep(milliseconds, signal).then(
    () => true,
    () => false,
  );
