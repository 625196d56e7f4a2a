/** Works on a store that no bot has open. On a shared engine it holds the lease meanwhile. */
import { hostname } from 'node:os';
import type { Clock } from '../../base/clock.js';
import { StoreError, type Store } from '../../store/store.js';
import { openStore } from '../../store/open.js';
import { saveExport } from './export-file.js';
import { BackupError, exportStream } from './export-format.js';

const LEASE_MS = 30_000;

/** Runs `work` as the owner of the store. Rejects with `locked` while a bot is active. */
export async function owning<Result>({ shared }: Store, clock: Clock, work: () => Promise<Result>): Promise<Result> {
  if (shared === undefined) return work();
  const holder = `a backup on ${hostname()}`;
  if ((await shared.acquire(holder, LEASE_MS)) === undefined) {
    const active = (await shared.holder())?.holder ?? 'another process';
    throw new StoreError('locked', `store: ${active} is active on this database; stop it first`);
  }
  const ended = new AbortController();
  const renewing = (async () => {
    // A failed renewal is ignored here: once the lease is lost, the next write fails.
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

interface ExportOptions {
  readonly storeUrl: string;
  readonly file: string;
  readonly clock: Clock;
}

/** Exports a store to a file. Rejects with a `BackupError`, or with a `StoreError` if a bot has it open. */
export async function exportHere({ storeUrl, file, clock }: ExportOptions): ReturnType<typeof saveExport> {
  if (storeUrl.startsWith('memory:')) throw new BackupError('no bot is running, and STORE_URL=memory:// keeps nothing');
  const store = await openStore(storeUrl);
  try {
    return await owning(store, clock, async () => {
      if (await store.copies.isEmpty()) throw new BackupError('the store is empty; check STORE_URL');
      return saveExport(await exportStream(store, clock.now()), file);
    });
  } finally {
    await store.close();
  }
}
