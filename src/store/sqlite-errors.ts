/** SQLite errors as failures with a remedy: https://sqlite.org/rescode.html */
import { z } from 'zod';
import { StoreError, type StoreTrouble } from './store.js';

type Explain = readonly [trouble: StoreTrouble, sentence: (path: string) => string];

const damaged: Explain = [
  'unreadable',
  (path) =>
    `${path} is not a readable Navwatch database (another kind of file, or damaged); restore a backup or name another file in STORE_URL`,
];
const locked: Explain = ['locked', (path) => `another Navwatch (or another program) has ${path} open; stop it first`];
const readOnly: Explain = ['read-only', (path) => `${path} cannot be written; give this user write access to the file and its folder`];

const explained: Readonly<Record<string, Explain>> = {
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  SQLITE_READONLY: readOnly,
  SQLITE_PERM: readOnly,
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
  SQLITE_FULL: ['full', (path) => `no room is left for ${path}; free some space on its disk (what was stored before is safe)`],
  SQLITE_CANTOPEN: ['failed', (path) => `${path} cannot be opened; check that this user may read and write the file and its folder`],
  SQLITE_IOERR: ['failed', (path) => `the disk under ${path} failed to read or write; check the disk, then start again`],
};

const coded = z.object({ code: z.string() });

/** A `StoreError` passes unchanged. */
export function sqliteFailure(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = coded.safeParse(error).data?.code ?? 'an unknown error';
  const [trouble, sentence] = explained[code] ?? ['failed', (at) => `the database ${at} failed (${code}); see the log, then start again`];
  return new StoreError(trouble, `store: ${sentence(path)}`, { cause: error });
}
