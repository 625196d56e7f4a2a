import { expect, test } from 'vitest';
import { isStoreUrl, mayShareMachine, openStore, storePasswords, storePlace } from '../../src/store/open.js';

test.each([
  ['postgres://bot:planted-secret@db.example:5433/alerts?sslmode=require', 'postgres://bot@db.example:5433/alerts'],
  ['postgresql://bot:planted%2Dsecret@db.example/alerts', 'postgresql://bot@db.example/alerts'],
  ['postgres:///alerts?host=/run/postgresql&password=planted-secret', 'postgres:///alerts'],
])('the place of %s has no password', (url, place) => {
  expect(storePlace(url)).toBe(place);
  expect(storePasswords(url)).toContain('planted-secret');
  expect(isStoreUrl(url)).toBe(true);
});

test('the place of a file is its address', () => {
  expect(storePlace('sqlite://./data/navwatch.sqlite')).toBe('sqlite://./data/navwatch.sqlite');
  expect(storePasswords('sqlite://./data/navwatch.sqlite')).toEqual([]);
});

test.each([
  'postgres://bot:planted-secret@db:port/alerts',
  'postgres://bot:planted-secret@[/alerts',
  // Signs that would have to be escaped end the password.
  'postgres://bot:p@planted-secret/1@db/alerts',
  'redis://:p@planted-secret#@db/0',
])('an address that cannot be read is refused without being repeated: %#', async (url) => {
  expect(isStoreUrl(url)).toBe(false);
  const error: unknown = await openStore(url).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: 'StoreError' });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('planted-secret');
});

test.each([
  ['postgres:///alerts?host=/run/postgresql', true],
  ['postgres://bot@localhost:5432/alerts', true],
  ['redis://127.0.0.1:6379/0', true],
  ['redis://[::1]:6379/0', true],
  ['postgres://bot@postgres:5432/alerts', true],
  ['redis://host.docker.internal:6379/0', true],
  ['postgres://bot@db.example/alerts', false],
  ['redis://10.0.0.7:6379/0', false],
  ['rediss://[2001:db8::7]:6379/0', false],
])('whether %s may have the clock of this machine: %s', (url, may) => {
  expect(mayShareMachine(url)).toBe(may);
});
