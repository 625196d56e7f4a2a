import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, requireSqlite } from '../../src/store/open.js';
import { StoreError } from '../../src/store/store.js';

test.each(['', 'navwatch.sqlite', 'mysql://user:planted-secret@localhost', 'constructor://x', 'SQLITE://x', 'sqlite:x'])(
  'the address %j is refused with those that work, and is not repeated',
  async (url) => {
    const error = await openStore(url).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StoreError);
    for (const example of ['sqlite://./data/navwatch.sqlite', 'memory://']) expect(String(error)).toContain(example);
    expect(String(error)).not.toContain('planted-secret');
  },
);

test.each(['sqlite://', 'sqlite://:memory:'])('%s names no file and is refused, since SQLite would forget everything', async (url) => {
  await expect(openStore(url)).rejects.toThrow('names no file');
});

test.each([
  ['could not be compiled', new Error("Cannot find package '@keyv/sqlite' imported from /opt/navwatch/dist/src/store/sqlite.js")],
  ['is for another machine', Object.assign(new Error("version `GLIBC_2.38' not found"), { code: 'ERR_DLOPEN_FAILED' })],
])('an SQLite that %s is one sentence with what to install and the other stores', (_, cause) => {
  const load = (): never => {
    throw cause;
  };
  expect(() => requireSqlite(load, () => true)).toThrow(StoreError);
  expect(() => requireSqlite(load, () => true)).toThrow(
    /sqlite3 .*Python 3, make and g\+\+.*postgres:\/\/.*redis:\/\/.*memory:\/\/[^\n]*$/u,
  );
});

test.each([
  ['the package is missing before the installation ended', new Error("Cannot find package '@keyv/sqlite' imported from /opt/x"), false],
  ['its compilation was stopped, and npm did not repeat it', new Error('Could not locate the bindings file. Tried:\n → /opt/x'), true],
  [
    'a file of it is missing',
    new Error("Cannot find module './trace'\nRequire stack:\n- /opt/navwatch/node_modules/sqlite3/lib/sqlite3.js"),
    true,
  ],
  [
    'its binary was cut',
    Object.assign(new Error('/opt/node_modules/sqlite3/build/Release/node_sqlite3.node: file too short'), { code: 'ERR_DLOPEN_FAILED' }),
    true,
  ],
])('an interrupted installation is told from a missing compiler: %s', (_, cause, isFinished) => {
  const load = (): never => {
    throw cause;
  };
  const required = () => requireSqlite(load, () => isFinished);
  expect(required).toThrow(/^store: the installation is not complete, .*Run "npm ci" again, with install scripts; or set STORE_URL/u);
  expect(required).not.toThrow(/g\+\+/u);
});

test('what is not about the package of SQLite stays as it is', () => {
  const load = (): never => {
    throw new Error("Cannot find module 'another'");
  };
  expect(() => requireSqlite(load)).toThrow("Cannot find module 'another'");
});

test('a bot whose SQLite does not load ends with that sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'navwatch-open-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const broken = join(folder, 'broken.cjs');
  writeFileSync(
    broken,
    `const { dlopen } = process;
process.dlopen = (module, file, ...rest) => {
  if (file.includes('sqlite3')) throw Object.assign(new Error('no binary for this machine'), { code: 'ERR_DLOPEN_FAILED' });
  return dlopen(module, file, ...rest);
};`,
  );
  const [register, main] = ['../support/child/register.mjs', '../../src/main.ts'].map((file) => join(import.meta.dirname, file));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', broken, '--import', register ?? '', main ?? ''], {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: process.env['PATH'], HTTP_PORT: '0', LOG_LEVEL: 'silent', STORE_URL: `sqlite://${folder}/a.sqlite` },
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^store: the package sqlite3 has no binary that runs here \(no binary/u),
  ]);
});
