import { expect, test } from 'vitest';
import { sqliteFailure } from '../../src/store/sqlite-file.js';
import { StoreError } from '../../src/store/store.js';
import { containing } from './containing.js';

const coded = (code: string) => Object.assign(new Error(`${code}: planted-secret`), { code });

test.each([
  ['SQLITE_BUSY', 'locked', 'stop it first'],
  ['SQLITE_LOCKED', 'locked', 'stop it first'],
  ['SQLITE_FULL', 'full', 'free some space'],
  ['SQLITE_READONLY', 'read-only', 'write access'],
  ['SQLITE_PERM', 'read-only', 'write access'],
  ['SQLITE_NOTADB', 'unreadable', 'restore a backup'],
  ['SQLITE_CORRUPT', 'unreadable', 'restore a backup'],
  ['SQLITE_CANTOPEN', 'failed', 'check that this user may'],
  ['SQLITE_IOERR', 'failed', 'check the disk'],
  ['SQLITE_MISUSE', 'failed', 'SQLITE_MISUSE'],
])('%s becomes %s with the file and a remedy, and keeps its cause', (code, trouble, remedy) => {
  const cause = coded(code);
  const failure = sqliteFailure('/data/navwatch.sqlite', cause);
  expect(failure).toMatchObject({ trouble, cause });
  expect(failure.message).toContain('/data/navwatch.sqlite');
  expect(failure.message).toContain(remedy);
  expect(failure.message).not.toContain('planted-secret');
});

test('a failure without a code is alerted as unknown, one already alerted passes unchanged', () => {
  expect(sqliteFailure('x', 'odd')).toMatchObject({ trouble: 'failed', message: containing('an unknown error') });
  const alerted = new StoreError('newer', 'alerted');
  expect(sqliteFailure('x', alerted)).toBe(alerted);
});
