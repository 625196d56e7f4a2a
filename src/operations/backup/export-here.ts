/** Exports a store that no bot has open. */
import type { Clock } from '../../base/clock.js';
import { openStore } from '../../store/open.js';
import { BackupError } from './export-format.js';
import { exportStream } from './export-lines.js';
import { owning } from './owned-store.js';
import { saveExport } from './save-export.js';

export interface ExportOptions {
  readonly storeUrl: string;
  readonly file: string;
  readonly clock: Clock;
}

/** Rejects with a `BackupError`, or a `StoreError` where a bot has it open. */
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
