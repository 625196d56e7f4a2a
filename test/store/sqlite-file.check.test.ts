import { copyFile, mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openStore } from '../../src/store/open.js';
import { MAX_UNCHECKED_STARTS, markCleanStop, takeCleanStop } from '../../src/store/sqlite-file.js';

const root = await mkdtemp(join(tmpdir(), 'navwatch-clean-'));
afterAll(async () => rm(root, { recursive: true, force: true }));

let count = 0;
async function closedFile(): Promise<string> {
  const folder = join(root, `${(count += 1)}`);
  await mkdir(folder);
  const path = join(folder, 'navwatch.sqlite');
  await writeFile(path, 'a database');
  await markCleanStop(path, 1);
  return path;
}

async function damage(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.write(Buffer.alloc(4_096 * 20, 0x5a), 0, 4_096 * 20, 4_096 * 10);
  // The times of a file are too coarse for a test.
  await handle.write('.', (await handle.stat()).size);
  await handle.close();
}

test('a file that nobody touched since a clean stop is known to be whole, once', async () => {
  const path = await closedFile();
  expect([await takeCleanStop(path), await takeCleanStop(path)]).toEqual([1, undefined]);
});

test('after so many starts it is checked again, because a disk may damage it without a trace', async () => {
  const path = await closedFile();
  const taken: (number | undefined)[] = [];
  for (const stops of [MAX_UNCHECKED_STARTS, MAX_UNCHECKED_STARTS + 1]) {
    await markCleanStop(path, stops);
    taken.push(await takeCleanStop(path));
  }
  expect(taken).toEqual([MAX_UNCHECKED_STARTS, undefined]);
});

test.each<[string, (path: string) => Promise<void>]>([
  ['was written', async (path) => writeFile(path, 'another database')],
  [
    'was replaced by a copy of itself',
    async (path) => {
      await copyFile(path, `${path}.copy`);
      await rename(`${path}.copy`, path);
    },
  ],
  ['has writes beside it', async (path) => writeFile(`${path}-wal`, 'a write')],
  ['is gone', async (path) => rm(path)],
])('a file that %s since then is not', async (_, touch) => {
  const path = await closedFile();
  await touch(path);
  expect(await takeCleanStop(path)).toBeUndefined();
});

test('a mark that is no mark leads to a check', async () => {
  const path = await closedFile();
  for (const text of ['', 'nonsense', '-1 1 2 3 4', `9999 ${'1'.repeat(10_000)}`]) {
    await writeFile(`${path}-clean`, text);
    expect(await takeCleanStop(path)).toBeUndefined();
  }
});

const texts = { prefix: 'box', schema: z.string(), version: 1 };

test('the mark of a clean stop is gone while a store is open, so that a crash leaves none', async () => {
  const path = join(root, 'open.sqlite');
  const store = await openStore(`sqlite://${path}`, { trustsCleanStop: true });
  await store.collection(texts).set('k', 'kept');
  await store.close();
  const again = await openStore(`sqlite://${path}`, { trustsCleanStop: true });
  expect(await again.collection(texts).get('k')).toBe('kept');
  expect(await takeCleanStop(path)).toBeUndefined();
  await again.close();
  expect(await takeCleanStop(path)).toBe(2);
});

test('a database that was damaged after a clean stop is refused all the same', async () => {
  const path = join(root, 'damaged.sqlite');
  const store = await openStore(`sqlite://${path}`, { trustsCleanStop: true });
  for (let n = 0; n < 500; n += 1) await store.collection(texts).set(`key-${n}`, 'x'.repeat(500));
  await store.close();
  await damage(path);
  await expect(openStore(`sqlite://${path}`, { trustsCleanStop: true })).rejects.toMatchObject({ trouble: 'unreadable' });
});
