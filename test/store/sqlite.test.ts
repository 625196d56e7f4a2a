import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { KeyvSqlite } from '@keyv/sqlite';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { FORMAT } from '../../src/store/backend.js';
import { openStore, type StoreOptions } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { startStore, tryStore } from './child/start.js';
import { containing } from './containing.js';
import { storeContract } from './contract.js';

const root = await mkdtemp(join(tmpdir(), 'navwatch-store-'));
let count = 0;
const newFile = () => join(root, `${(count += 1)}`, 'navwatch.sqlite');
const opened: Store[] = [];
const openAt = async (file: string, options?: StoreOptions) => {
  const store = await openStore(`sqlite://${file}`, options);
  opened.push(store);
  return store;
};
const texts = { prefix: 'box', schema: z.string(), version: 1 };

/** The file as another program sees it, past our store. */
const raw = async (file: string, ...statements: string[]): Promise<unknown> => {
  const adapter = new KeyvSqlite({ uri: `sqlite://${file}`, table: 'documents' });
  let last: unknown;
  for (const statement of statements) last = await adapter.query(statement);
  await adapter.close();
  return last;
};

afterAll(async () => {
  await Promise.all(opened.map(async (store) => store.close()));
  await rm(root, { recursive: true, force: true });
});

storeContract('SQLite', async () => openStore(`sqlite://${newFile()}`));

test('the folder is made, a relative path counts from the working directory, and documents outlive the process', async () => {
  const file = newFile();
  const store = await openAt(relative(process.cwd(), file));
  await store.collection(texts).set('k', 'kept');
  await store.close();
  expect(await (await openAt(file)).collection(texts).get('k')).toBe('kept');
});

test('a stored row is the plain envelope, and the file says what wrote it', async () => {
  const file = newFile();
  const store = await openAt(file);
  await store.collection({ ...texts, version: 7 }).set('k', 'kept');
  await store.close();
  expect(await raw(file, "SELECT value FROM documents WHERE key = 'box/k'")).toEqual([
    { value: expect.stringMatching(/^\{"v":7,"s":\d+,"d":"kept"\}$/u) },
  ]);
  expect(await raw(file, 'PRAGMA user_version')).toEqual([{ user_version: FORMAT }]);
  expect(await raw(file, 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
});

test('a new file has small pages, and one that holds documents keeps its own', async () => {
  const file = newFile();
  await (await openAt(file)).close();
  expect(await raw(file, 'PRAGMA page_size')).toEqual([{ page_size: 1_024 }]);
  const old = newFile();
  await mkdir(join(old, '..'));
  const kept = JSON.stringify({ v: 1, d: 'kept' });
  await raw(old, `INSERT INTO documents (key, value) VALUES ('box/k', '${kept}')`);
  const store = await openAt(old);
  expect(await store.collection(texts).get('k')).toBe('kept');
  await store.close();
  expect(await raw(old, 'PRAGMA page_size')).toEqual([{ page_size: 4_096 }]);
});

test('the index of the log is no file, also on a database that another program had open before', async () => {
  const file = newFile();
  await (await openAt(file)).close();
  await raw(file, 'PRAGMA user_version');
  for (const round of ['first', 'second']) {
    const store = await openAt(file);
    await store.collection(texts).set('k', round);
    expect(await readdir(join(file, '..'))).toEqual(['navwatch.sqlite', 'navwatch.sqlite-wal']);
    await store.close();
  }
});

test('a row that is no document is reported and hides no other', async () => {
  const file = newFile();
  const first = await openAt(file);
  await first.collection(texts).set('good', 'kept');
  await first.close();
  const rows = [
    '(\'box/half\', \'{"v":1,"d":\')',
    "('box/blob', x'00ff')",
    "('box/null', NULL)",
    "('box/bare', '\"planted-secret\"')",
    "('box/v0', '{\"v\":0}')",
  ];
  await raw(file, `INSERT INTO documents (key, value) VALUES ${rows.join(', ')}`);
  const box = (await openAt(file)).collection(texts);
  const listing = await box.list();
  expect(listing.found).toEqual([['good', 'kept']]);
  expect(listing.unreadable.map(({ key }) => key)).toEqual(['bare', 'blob', 'half', 'null', 'v0']);
  for (const key of ['half', 'bare', 'blob', 'null', 'v0']) {
    const error = await box.get(key).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ trouble: 'unreadable', message: containing(`box/${key} in ${file}`) });
    expect(String(error)).not.toContain('planted-secret');
  }
});

test('a second store on the same file is refused in one sentence within two seconds, and the first goes on', async () => {
  const file = newFile();
  const first = await openAt(file);
  const waits: number[] = [];
  // The shortest of three waits counts, because other work on the machine can only make one longer.
  while (waits.length < 3 && !(Math.min(...waits) < 2_000)) {
    const before = performance.now();
    await expect(openStore(`sqlite://${file}`)).rejects.toMatchObject({
      trouble: 'locked',
      message: `store: another Navwatch (or another program) has ${file} open; stop it first`,
    });
    waits.push(performance.now() - before);
  }
  expect(Math.min(...waits)).toBeLessThan(2_000);
  await first.collection(texts).set('k', 'still mine');
  expect(await tryStore({ url: `sqlite://${file}` })).toMatch(/^locked: /u);
  await first.collection(texts).set('k', 'still mine');
  await first.close();
  expect(await tryStore({ url: `sqlite://${file}` })).toBe('opened');
});

test('a store held by another process is refused until that one closes, also on a file with a past', async () => {
  const file = newFile();
  await (await openAt(file)).close();
  const holder = startStore('hold', { url: `sqlite://${file}` });
  expect((await holder.lines.next()).value).toBe('opened');
  await expect(openStore(`sqlite://${file}`, { lockWaitMs: 50 })).rejects.toMatchObject({ trouble: 'locked' });
  holder.release();
  await holder.gone;
  await (await openAt(file)).check();
});

test.each(['a new file', 'a file with a past'])('of three processes that start at once on %s at most one has the store', async (kind) => {
  const file = newFile();
  if (kind !== 'a new file') await (await openAt(file)).close();
  const children = [1, 2, 3].map(() => startStore('hold', { url: `sqlite://${file}` }));
  const said = await Promise.all(children.map(async (child) => String((await child.lines.next()).value)));
  for (const child of children) child.release();
  await Promise.all(children.map(async (child) => child.gone));
  expect(said.filter((line) => line === 'opened').length).toBeLessThanOrEqual(1);
  expect(said.filter((line) => line !== 'opened' && !line.startsWith('locked: '))).toEqual([]);
});

test('a process killed while it writes loses no acknowledged set, and the file opens again at once', async () => {
  const file = newFile();
  let acknowledged = 0;
  for (const upTo of [1, 40, 200]) {
    const child = startStore('write', { url: `sqlite://${file}` });
    let last = -1;
    for await (const line of child.lines) {
      last = Number(line.replace('stored ', ''));
      if (last === upTo) child.kill();
    }
    await child.gone;
    acknowledged = Math.max(acknowledged, last + 1);
    const before = performance.now();
    const store = await openAt(file);
    expect(performance.now() - before).toBeLessThan(1_000);
    const listing = await store.collection({ prefix: 'box', schema: z.object({ n: z.number(), padding: z.string() }), version: 1 }).list();
    expect(listing.unreadable).toEqual([]);
    const stands = new Set(listing.found.map(([key]) => key));
    expect(Array.from({ length: acknowledged }, (_, n) => String(n)).filter((key) => !stands.has(key))).toEqual([]);
    await store.close();
  }
});

test('a full database says so, keeps what it had, and still takes what fits', async () => {
  const file = newFile();
  const store = await openAt(file, { pragmas: ['max_page_count = 160'] });
  const box = store.collection(texts);
  await box.set('before', 'kept');
  await expect(box.set('large', randomBytes(1_000_000).toString('base64'))).rejects.toMatchObject({
    trouble: 'full',
    message: containing('no room is left'),
  });
  expect(await box.get('large')).toBeUndefined();
  expect(await box.get('before')).toBe('kept');
  await box.set('small', 'fits');
  await store.check();
});

test('a connection that refuses writes shows at the start, not at the first alert', async () => {
  const file = newFile();
  const first = await openAt(file);
  await first.collection(texts).set('k', 'kept');
  await first.close();
  // Query-only refuses writes from inside SQLite with the very code a read-only disk gives.
  await expect(openStore(`sqlite://${file}`, { pragmas: ['query_only = ON'] })).rejects.toMatchObject({ trouble: 'read-only' });
  expect(await (await openAt(file)).collection(texts).get('k')).toBe('kept');
});

test('only its owner may open the database, its log and the folder made for it; files that everybody could read are closed at the start', async () => {
  const file = newFile();
  const rights = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  const store = await openAt(file);
  await store.collection(texts).set('k', 'kept');
  expect(await Promise.all([join(file, '..'), file, `${file}-wal`].map(rights))).toEqual(['700', '600', '600']);
  await store.close();
  for (const path of [file, `${file}.mine`]) {
    await writeFile(path, '', { flag: 'a' });
    await chmod(path, 0o644);
  }
  await chmod(join(file, '..'), 0o755);
  const again = await openAt(file);
  await again.collection(texts).set('k', 'kept again');
  const all = [join(file, '..'), file, `${file}-wal`, `${file}.mine`];
  expect(await Promise.all(all.map(rights))).toEqual(['755', '600', '600', '644']);
});

test.skipIf(process.getuid?.() !== 0)('a file or folder this user may not write is refused by name', async () => {
  const file = newFile();
  await (await openAt(file)).close();
  await chmod(root, 0o755);
  const nobody = 65_534;
  expect(await tryStore({ url: `sqlite://${file}`, uid: nobody })).toMatch(/^read-only: store: the folder .* cannot be made or written/u);
  await chown(join(file, '..'), nobody, nobody);
  await chmod(file, 0o444);
  expect(await tryStore({ url: `sqlite://${file}`, uid: nobody })).toMatch(/^read-only: store: .*navwatch\.sqlite cannot be written/u);
  await chmod(file, 0o000);
  expect(await tryStore({ url: `sqlite://${file}`, uid: nobody })).toMatch(/^failed: store: .*navwatch\.sqlite cannot be opened/u);
  expect(await tryStore({ url: `sqlite://${join(root, 'new', 'navwatch.sqlite')}`, uid: nobody })).toMatch(
    /^read-only: store: the folder/u,
  );
});

test('a path that is a folder, or leads through a file, is refused by name', async () => {
  const file = newFile();
  await mkdir(file, { recursive: true });
  await expect(openStore(`sqlite://${file}`)).rejects.toThrow(`${file} is a folder`);
  const plain = join(root, 'plain');
  await writeFile(plain, '');
  await expect(openStore(`sqlite://${join(plain, 'navwatch.sqlite')}`)).rejects.toThrow(`the folder ${plain} cannot be made or written`);
  // Where no folder can be made, Node's recursive mkdir never ends.
  await expect(openStore('sqlite:///proc/navwatch/data/navwatch.sqlite')).rejects.toMatchObject({ trouble: 'read-only' });
});

test('a file that is no database is refused and left as it was', async () => {
  const file = newFile();
  await mkdir(join(file, '..'));
  const garbage = 'this is a letter to my aunt. '.repeat(200);
  await writeFile(file, garbage);
  await expect(openStore(`sqlite://${file}`)).rejects.toMatchObject({ trouble: 'unreadable', message: containing(file) });
  const handle = await open(file);
  expect(await handle.readFile('utf8')).toBe(garbage);
  await handle.close();
});

test('an empty file is a first start', async () => {
  const file = newFile();
  await mkdir(join(file, '..'));
  await writeFile(file, '');
  const store = await openAt(file);
  await store.collection(texts).set('k', 'kept');
  expect(await store.collection(texts).get('k')).toBe('kept');
});

test("another program's database is refused", async () => {
  const file = newFile();
  await mkdir(join(file, '..'));
  await raw(file, 'CREATE TABLE invoices (id)');
  await expect(openStore(`sqlite://${file}`)).rejects.toMatchObject({
    trouble: 'unreadable',
    message: containing('another program'),
  });
  const marked = newFile();
  await mkdir(join(marked, '..'));
  await raw(marked, 'PRAGMA application_id = 77');
  await expect(openStore(`sqlite://${marked}`)).rejects.toMatchObject({ trouble: 'unreadable' });
});

test('a database of a newer Navwatch is refused and untouched', async () => {
  const file = newFile();
  await (await openAt(file)).close();
  await raw(file, `PRAGMA user_version = ${FORMAT + 1}`);
  await expect(openStore(`sqlite://${file}`)).rejects.toMatchObject({ trouble: 'newer', message: containing('run that one') });
  expect(await raw(file, 'PRAGMA user_version')).toEqual([{ user_version: FORMAT + 1 }]);
});

test('a damaged database is refused at the start instead of looking emptier than it is', async () => {
  const file = newFile();
  const store = await openAt(file);
  const box = store.collection(texts);
  for (let n = 0; n < 500; n += 1) await box.set(`key-${n}`, 'x'.repeat(500));
  await store.close();
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(4_096 * 20, 0x5a), 0, 4_096 * 20, 4_096 * 10);
  await handle.close();
  await expect(openStore(`sqlite://${file}`)).rejects.toMatchObject({
    trouble: 'unreadable',
    message: containing('restore a backup'),
  });
});

test('damage that shows only while running is an error of the call', async () => {
  const file = newFile();
  const first = await openAt(file);
  for (let n = 0; n < 500; n += 1) await first.collection(texts).set(`key-${n}`, 'x'.repeat(500));
  await first.close();
  const store = await openAt(file, { pragmas: ['cache_size = 1', 'mmap_size = 0'] });
  // A second descriptor that is never closed before the store: closing it would drop the store's lock.
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(4_096 * 20, 0x5a), 0, 4_096 * 20, 4_096 * 10);
  await expect(store.collection(texts).list()).rejects.toMatchObject({ trouble: 'unreadable' });
  await store.close().catch(() => {});
  await handle.close();
});

test('a closed store leaves one file behind, ready to be copied', async () => {
  const file = newFile();
  const store = await openAt(file);
  await store.collection(texts).set('k', 'kept');
  expect(await readdir(join(file, '..'))).toContain('navwatch.sqlite-wal');
  await store.close();
  expect(await readdir(join(file, '..'))).toEqual(['navwatch.sqlite']);
});
