/** What a day left: documents by collection, the files of the database, memory, timers. */
import { stat } from 'node:fs/promises';
import { startingWith, type Backend } from '../../src/store/backend.js';

export interface Collected {
  readonly documents: number;
  readonly bytes: number;
}

/** Everything in numbers; each of them must stay flat. */
export interface DayMeasured {
  readonly day: number;
  readonly collections: Readonly<Record<string, Collected>>;
  readonly levels: Readonly<Record<string, number>>;
  /** What happened on the day. Not judged. */
  readonly happened: Readonly<Record<string, number>>;
}

const READ_AT_ONCE = 2_000;

export async function collected(backend: Backend): Promise<Readonly<Record<string, Collected>>> {
  const found = new Map<string, { documents: number; bytes: number }>();
  let after: string | undefined;
  for (;;) {
    const page = await backend.range({ ...startingWith(''), ...(after === undefined ? {} : { after }), limit: READ_AT_ONCE });
    for (const [key, text] of page) {
      const name = /^[^/:]+/u.exec(key)?.[0] ?? key;
      const own = found.get(name) ?? { documents: 0, bytes: 0 };
      own.documents += 1;
      own.bytes += Buffer.byteLength(key) + Buffer.byteLength(text);
      found.set(name, own);
    }
    after = page.at(-1)?.[0];
    if (page.length < READ_AT_ONCE) break;
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const MEGABYTE = 1_048_576;

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

export async function memoryAndFiles(path: string): Promise<Readonly<Record<string, number>>> {
  if (globalThis.gc === undefined) throw new Error('long run: start it with --expose-gc');
  globalThis.gc();
  const { heapUsed, rss, external } = process.memoryUsage();
  const [file, log] = [await sizeOf(path), await sizeOf(`${path}-wal`)];
  return {
    'heap, MB': heapUsed / MEGABYTE,
    'outside the heap, MB': external / MEGABYTE,
    'resident, MB': rss / MEGABYTE,
    'database and log, MB': (file + log) / MEGABYTE,
    handles: process.getActiveResourcesInfo().length,
  };
}
