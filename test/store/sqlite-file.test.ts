import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openStore } from '../../src/store/open.js';
import { remedyOf } from '../../src/store/store.js';
import { startStore, type StoreProcess } from './child/start.js';
import { containing } from './containing.js';

const root = await mkdtemp(join(tmpdir(), 'navwatch-moved-'));
let count = 0;
const newFile = async () => {
  const folder = join(root, `${(count += 1)}`);
  await mkdir(folder);
  return join(folder, 'navwatch.sqlite');
};
const texts = { prefix: 'box', schema: z.string(), version: 1 };
const written = { prefix: 'box', schema: z.object({ n: z.number(), padding: z.string() }), version: 1 };
const numbers = (upTo: number): readonly string[] => Array.from({ length: upTo + 1 }, (_, n) => String(n));

const children: StoreProcess[] = [];

afterAll(async () => {
  for (const child of children) child.kill();
  await rm(root, { recursive: true, force: true });
});

/** How many of the documents that were acknowledged up to `last` are missing from the database at `file`. */
async function missingFrom(file: string, last: number): Promise<number> {
  const store = await openStore(`sqlite://${file}`);
  const { found } = await store.collection(written).list();
  await store.close();
  const keys = new Set(found.map(([key]) => key));
  return numbers(last).filter((key) => !keys.has(key)).length;
}

/** A process that writes, once it has acknowledged some, with the number of the last acknowledged document. */
async function writer(file: string) {
  const child = startStore('write', { url: `sqlite://${file}` });
  children.push(child);
  const next = async (): Promise<number> => Number(String((await child.lines.next()).value).replace('stored ', ''));
  let last = await next();
  while (last < 60) last = await next();
  return { ...child, last, next };
}

test.each(['', '-wal'])(
  'a database whose file%s is deleted acknowledges no write and fails its check, until the file is back',
  async (suffix) => {
    const file = await newFile();
    const store = await openStore(`sqlite://${file}`);
    const box = store.collection(texts);
    await box.set('before', 'kept');
    await rename(`${file}${suffix}`, `${file}.away`);
    const moved = expect.objectContaining({ trouble: 'moved', message: expect.stringContaining(file) as string }) as Error;
    await expect(box.set('after', 'lost')).rejects.toEqual(moved);
    await expect(box.delete('before')).rejects.toEqual(moved);
    await expect(store.check()).rejects.toEqual(moved);
    expect(await box.get('before')).toBe('kept');
    await rename(`${file}.away`, `${file}${suffix}`);
    await store.check();
    await box.set('again', 'kept');
    await store.close();
  },
);

test('what is said to everybody names no path', async () => {
  const file = await newFile();
  const store = await openStore(`sqlite://${file}`);
  await rm(file);
  const error: unknown = await store.check().catch((caught: unknown) => caught);
  expect(remedyOf(error)).toBe(
    'The database was deleted or replaced while it was open. Put it back or restore a backup, then restart the bot.',
  );
});

test('a second process on the path of a deleted file: the first one writes nothing more, and its end takes nothing from the second', async () => {
  const file = await newFile();
  const first = await openStore(`sqlite://${file}`);
  await first.collection(texts).set('k', 'of the first');
  await rm(file);
  await rm(`${file}-wal`);
  const second = await writer(file);
  await expect(first.collection(texts).set('k', 'again')).rejects.toMatchObject({ trouble: 'moved' });
  // A clean end deletes the -wal file by its name, and that one is the second's.
  await first.close();
  const after = await second.next();
  second.kill();
  await second.gone;
  expect(await missingFrom(file, after)).toBe(0);
});

test.each([
  ['missing', async (file: string) => rename(file, `${file}.away`)],
  ['empty', async (file: string) => copyFile(file, `${file}.away`).then(async () => truncate(file))],
])(
  'a start is refused while the database is %s and its -wal file holds data, and loses nothing once the file is back',
  async (word, remove) => {
    const file = await newFile();
    const child = await writer(file);
    child.kill();
    await child.gone;
    await remove(file);
    const before = await readFile(`${file}-wal`);
    await expect(openStore(`sqlite://${file}`)).rejects.toMatchObject({
      trouble: 'failed',
      message: containing(`${file} is ${word}, but its ${file}-wal is there`),
    });
    // Not `toEqual`, which compares two buffers byte by byte in JavaScript.
    expect((await readFile(`${file}-wal`)).equals(before)).toBe(true);
    await rename(`${file}.away`, file);
    expect(await missingFrom(file, child.last)).toBe(0);
  },
);

test('a start beside an orphaned -wal file that is empty, or was moved away, makes a new database', async () => {
  const file = await newFile();
  await writeFile(`${file}-wal`, '');
  await (await openStore(`sqlite://${file}`)).close();
  await rm(file);
  await writeFile(`${file}-wal.away`, 'data');
  await (await openStore(`sqlite://${file}`)).close();
  expect(await readFile(`${file}-wal.away`, 'utf8')).toBe('data');
});

test('after a checkpoint the main file alone holds everything, and the -wal file is empty', async () => {
  const file = await newFile();
  const store = await openStore(`sqlite://${file}`);
  const box = store.collection(texts);
  for (const n of numbers(20)) await box.set(n, 'kept');
  expect((await stat(`${file}-wal`)).size).toBeGreaterThan(0);
  await store.checkpoint();
  expect((await stat(`${file}-wal`)).size).toBe(0);
  // A copy by another process: this one must not open the file beside the store.
  await once(spawn('cp', [file, `${file}.copy`]), 'close');
  const copy = await openStore(`sqlite://${file}.copy`);
  expect((await copy.collection(texts).list()).found).toHaveLength(21);
  await copy.close();
  await store.close();
});

test('opening after a crash moves what the crash left in the -wal file into the main file', async () => {
  const file = await newFile();
  const child = await writer(file);
  child.kill();
  await child.gone;
  const store = await openStore(`sqlite://${file}`);
  expect((await stat(`${file}-wal`)).size).toBe(0);
  await store.close();
});

/** The commands under a heading of docs/operations.md, as a person would type them. */
async function recipe(heading: string): Promise<string> {
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split(`### ${heading}\n`);
  return /```sh\n([\s\S]*?)```/u.exec(section)?.[1] ?? 'exit 9';
}

async function run(script: string, folder: string, pid: number | undefined): Promise<void> {
  const shell = spawn('sh', ['-euc', script], { cwd: folder, stdio: 'inherit', env: { ...process.env, PID: String(pid) } });
  expect(await once(shell, 'close')).toEqual([0, null]);
}

test.skipIf(process.platform !== 'linux')(
  'the documented copy of a running bot holds everything that was acknowledged, and the bot goes on',
  async () => {
    const folder = join(await newFile(), '..');
    await mkdir(join(folder, 'data'));
    const data = join(folder, 'data', 'navwatch.sqlite');
    const child = await writer(data);
    await run(await recipe('While the bot runs'), folder, child.pid);
    const after = await child.next();
    expect(after).toBeGreaterThan(child.last);
    child.kill();
    await child.gone;
    expect(await missingFrom(join(folder, 'backup', 'navwatch.sqlite'), child.last)).toBe(0);
  },
);

test('the documented copy of a stopped or killed bot holds everything that was acknowledged', async () => {
  const folder = join(await newFile(), '..');
  await mkdir(join(folder, 'data'));
  const child = await writer(join(folder, 'data', 'navwatch.sqlite'));
  child.kill();
  await child.gone;
  await run(await recipe('While the bot is stopped'), folder, undefined);
  expect(await missingFrom(join(folder, 'backup', 'navwatch.sqlite'), child.last)).toBe(0);
});

test.skipIf(process.platform !== 'linux')(
  'the documented rescue of a deleted database holds everything that was acknowledged before',
  async () => {
    const folder = join(await newFile(), '..');
    await mkdir(join(folder, 'data'));
    const data = join(folder, 'data', 'navwatch.sqlite');
    const victim = await writer(data);
    victim.signal('SIGSTOP');
    await rm(data);
    await rm(`${data}-wal`);
    await run(await recipe('After the files were deleted under a running bot'), folder, victim.pid);
    victim.kill();
    await victim.gone;
    expect(await missingFrom(join(folder, 'rescued', 'navwatch.sqlite'), victim.last)).toBe(0);
  },
);

test('without its -wal file the copy of a killed bot lacks what was written last, so the recipe copies both', async () => {
  const file = await newFile();
  const child = await writer(file);
  child.kill();
  await child.gone;
  await copyFile(file, `${file}.alone`);
  expect(await missingFrom(`${file}.alone`, child.last)).toBeGreaterThan(0);
});
