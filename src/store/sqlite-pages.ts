/** Pages of a SQLite file. Each commit writes whole ones to the log, and later to the file (docs/decisions/0036-small-pages.md). */
import type { KeyvSqlite } from '@keyv/sqlite';
import { z } from 'zod';

/** Bytes. */
const PAGE_SIZE = 1_024;
/** Bytes in the log before they are copied into the file; SQLite counts pages. */
const MAX_LOG = 4 * 1024 * 1024;

type Adapter = Pick<KeyvSqlite, 'query'>;

const sizes = z.tuple([z.object({ page_size: z.int().positive() })]);
const emptiness = z.tuple([z.object({ empty: z.int() })]);

/** Only of a file without documents, before it has a log: the adapter has made the table, so the size changes with `VACUUM`. */
export async function useSmallPages(adapter: Adapter, table: string): Promise<void> {
  const [{ empty }] = emptiness.parse(await adapter.query(`SELECT NOT EXISTS (SELECT 1 FROM ${table}) AS empty`));
  if (empty === 0) return;
  await adapter.query(`PRAGMA page_size = ${PAGE_SIZE}`);
  await adapter.query('VACUUM');
}

export async function boundLog(adapter: Adapter): Promise<void> {
  const [{ page_size: size }] = sizes.parse(await adapter.query('PRAGMA page_size'));
  await adapter.query(`PRAGMA wal_autocheckpoint = ${Math.ceil(MAX_LOG / size)}`);
}
