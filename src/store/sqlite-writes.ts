/** Stores a batch in one transaction. */
import type { KeyvSqlite } from '@keyv/sqlite';
import type { Keyv } from 'keyv';
import type { Write, WriteResults } from './group-commit.js';
import { sqliteFailure } from './sqlite-file.js';

export interface SqliteWriter {
  readonly adapter: Pick<KeyvSqlite, 'query'>;
  readonly keyv: Keyv<string>;
  readonly table: string;
  readonly path: string;
}

/** It never rejects. Writes of a failed batch are retried singly. */
export async function storeWrites(writer: SqliteWriter, writes: readonly Write[]): Promise<WriteResults> {
  const failed = (error: unknown) => sqliteFailure(writer.path, error);
  let batchError: unknown;
  if (writes.length > 1) {
    try {
      await storeTogether(writer, writes);
      return [];
    } catch (error) {
      batchError = error;
    }
  }
  // Each attempt waits for the lock as long as the batch did, so none follows a locked one.
  let lockError = batchError !== undefined && failed(batchError).trouble === 'locked' ? batchError : undefined;
  const failures: (Error | undefined)[] = [];
  for (const write of writes) {
    if (lockError !== undefined) {
      failures.push(failed(lockError));
      continue;
    }
    try {
      await storeAlone(writer, write);
      failures.push(undefined);
    } catch (error) {
      const failure = failed(error);
      if (failure.trouble === 'locked') lockError = error;
      failures.push(failure);
    }
  }
  return failures;
}

async function storeAlone({ keyv }: SqliteWriter, { key, text }: Write): Promise<void> {
  await (text === undefined ? keyv.delete(key) : keyv.set(key, text));
}

/** Only the last write of a key is made. */
async function storeTogether({ adapter, table }: SqliteWriter, writes: readonly Write[]): Promise<void> {
  const rows: string[] = [];
  const deleted: string[] = [];
  for (const [key, text] of new Map(writes.map((write) => [write.key, write.text]))) {
    if (text === undefined) deleted.push(key);
    else rows.push(key, text);
  }
  const upsert = async (): Promise<void> => {
    if (rows.length === 0) return;
    const values = listOf('(?, ?)', rows.length / 2);
    await adapter.query(`INSERT INTO ${table} (key, value) VALUES ${values} ON CONFLICT(key) DO UPDATE SET value=excluded.value`, rows);
  };
  // One statement is a transaction of its own.
  if (deleted.length === 0) return upsert();
  await adapter.query('BEGIN');
  try {
    await upsert();
    await adapter.query(`DELETE FROM ${table} WHERE key IN (${listOf('?', deleted.length)})`, deleted);
    await adapter.query('COMMIT');
  } catch (error) {
    // Some errors (a full disk) roll back by themselves; ROLLBACK then fails.
    await adapter.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

const listOf = (item: string, count: number): string => Array.from({ length: count }, () => item).join(', ');
