/** Imports an export while the bot is stopped, from any engine into any engine. */
import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { openStore } from '../../store/open.js';
import type { Store } from '../../store/store.js';
import { readExport, saveExport } from './export-file.js';
import { BackupError, exportName, exportStream } from './export-format.js';
import { owning } from './owned-store.js';

export interface ImportOptions {
  readonly storeUrl: string;
  readonly file: string;
  /** True to replace what the store holds. That is exported beside the file first. */
  readonly replace: boolean;
  readonly clock: Clock;
}

export interface Imported {
  readonly documents: number;
  readonly unreadable: number;
  /** When the export was made. */
  readonly at: string;
  /** The file with the replaced documents. */
  readonly saved?: string;
}

/** Imports an export. Checks the whole file before it writes. Rejects with a `BackupError` or a `StoreError`. */
export async function importInto({ storeUrl, file, replace, clock }: ImportOptions): Promise<Imported> {
  if (storeUrl.startsWith('memory:'))
    throw new BackupError('STORE_URL=memory:// forgets everything at the end; name a database to import into');
  const { header, documents, unreadable, pages } = await readExport(file);
  const store = await openStore(storeUrl, { importing: true });
  try {
    return await owning(store, clock, async () => {
      const saved = await makeRoom(store, { file, replace, clock });
      await store.copies.replaceAll(pages());
      return { documents, unreadable, at: header.at, ...saved };
    });
  } finally {
    await store.close();
  }
}

/** Exports what the store holds, unless an interrupted import left it. */
async function makeRoom(
  store: Store,
  { file, replace, clock }: Pick<ImportOptions, 'file' | 'replace' | 'clock'>,
): Promise<Pick<Imported, 'saved'>> {
  if ((await store.copies.isEmpty()) || (await store.copies.isInterrupted())) return {};
  if (!replace)
    throw new BackupError('the store is not empty, and nothing was changed; add --replace to save what it holds and replace it');
  const saved = join(dirname(file), exportName(clock.now(), 'navwatch-before-import'));
  await saveExport(await exportStream(store, clock.now()), saved);
  return { saved };
}
