import { expect, test } from 'vitest';
import { postgresFailure } from '../../src/store/postgres-errors.js';

const PLACE = 'postgres://bot@db/alerts';

test.each([
  ['53100', 'full'],
  ['57P01', 'unreachable'],
  ['57P03', 'unreachable'],
  ['08006', 'unreachable'],
  ['53300', 'unreachable'],
  ['57014', 'unreachable'],
  ['28P01', 'denied'],
  ['42501', 'denied'],
  ['25006', 'read-only'],
  ['40P01', 'locked'],
  ['55P03', 'locked'],
  ['42P01', 'moved'],
  ['XX001', 'unreadable'],
  ['3D000', 'failed'],
  ['22021', 'failed'],
  ['ECONNREFUSED', 'unreachable'],
])('%s is the trouble %s, with the place', (code, trouble) => {
  const failure = postgresFailure(PLACE, Object.assign(new Error('why'), { code, detail: 'planted-secret' }));
  expect(failure).toMatchObject({ name: 'StoreError', trouble });
  expect(failure.message).toContain(PLACE);
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('planted-secret');
});
