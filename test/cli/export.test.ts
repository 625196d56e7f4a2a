import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { exportToFile } from '../../src/cli/export.js';
import { importFromFile } from '../../src/cli/import.js';
import { readConfig } from '../../src/config.js';
import { exportStream } from '../../src/operations/backup/export-format.js';
import { openStore } from '../../src/store/open.js';
import { OPERATOR, openHarness } from '../platforms/console/harness.js';
import { oneChat } from '../platforms/console/one-chat.js';
import { handClock } from '../support/clock.js';

const clock = handClock();
const TOKEN = OPERATOR.authorization.replace('Bearer ', '');
const box = { prefix: 'box', schema: z.string(), version: 1 };

async function folderFor(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-export-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A bot with one document, and its operator view. */
async function openBot() {
  const store = await openStore('memory://');
  await store.collection(box).set('a', 'kept');
  const operator = { ...oneChat().operator, exported: async () => ({ name: 'navwatch.gz', file: await exportStream(store, clock.now()) }) };
  return openHarness({ operator });
}

async function run(command: typeof exportToFile, args: readonly string[], env: Record<string, string> = {}) {
  let [out, err] = ['', ''];
  const terminal = { config: () => readConfig(env), out: (text: string) => (out += text), err: (text: string) => (err += text), clock };
  return { code: await command(args, terminal), out, err };
}

test('what the running bot has stored is in the file, which only its owner can read, and goes into another store', async () => {
  await using bot = await openBot();
  const folder = await folderFor();
  const file = join(folder, 'navwatch.gz');
  expect(await run(exportToFile, [file], { HTTP_PORT: String(bot.port), CONSOLE_TOKEN: TOKEN })).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 documents'),
    err: '',
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const env = { STORE_URL: `sqlite://${join(folder, 'navwatch.sqlite')}` };
  expect(await run(importFromFile, [file], env)).toMatchObject({ code: 0, err: '' });
  expect(await run(importFromFile, [file], env)).toMatchObject({ code: 1, err: expect.stringContaining('--replace') });
  expect(await run(importFromFile, ['--replace', file], env)).toMatchObject({ code: 0 });
  const store = await openStore(env.STORE_URL);
  expect(await store.collection(box).get('a')).toBe('kept');
  await store.close();
});

test('the export is for the operator, on this machine too, and for no other site', async () => {
  await using bot = await openBot();
  const file = join(await folderFor(), 'navwatch.gz');
  const env = { HTTP_PORT: String(bot.port) };
  expect(await run(exportToFile, [file], env)).toMatchObject({ code: 1, err: expect.stringContaining('CONSOLE_TOKEN') });
  expect(await run(exportToFile, [file], { ...env, CONSOLE_TOKEN: TOKEN })).toMatchObject({ code: 0 });
  const status = async (headers: Record<string, string>) =>
    (await bot.raw({ path: '/api/operator/export', headers: { host: `127.0.0.1:${bot.port}`, ...headers } })).status;
  const authorization = `Bearer ${TOKEN}`;
  expect(await status({})).toBe(401);
  expect(await status({ authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await status({ authorization, 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await status({ authorization, host: 'evil.example' })).toBe(403);
  expect(await status({ authorization })).toBe(200);
});

test('without a bot the store itself is exported, and an empty one is refused', async () => {
  const bot = await openBot();
  await bot[Symbol.asyncDispose]();
  const folder = await folderFor();
  const env = { HTTP_PORT: String(bot.port), STORE_URL: `sqlite://${join(folder, 'navwatch.sqlite')}` };
  const file = join(folder, 'navwatch.gz');
  expect(await run(exportToFile, [file], env)).toMatchObject({ code: 1, err: expect.stringContaining('empty') });
  const store = await openStore(env.STORE_URL);
  await store.collection(box).set('a', 'kept');
  await store.close();
  expect(await run(exportToFile, [file], env)).toMatchObject({ code: 0 });
  expect(await run(exportToFile, ['--url', bot.url, `${file}2`], env)).toMatchObject({ code: 1, err: expect.stringContaining('no bot') });
  expect((await readdir(folder)).toSorted()).toEqual(['navwatch.gz', 'navwatch.sqlite']);
});

test.each([
  [exportToFile, ['a', 'b'], 'Usage:'],
  [exportToFile, ['--nonsense'], '--nonsense'],
  [exportToFile, ['--url', 'not an address', 'x'], 'is no address'],
  [exportToFile, ['x'], '--url'],
  [importFromFile, [], 'Usage:'],
  [importFromFile, ['a', 'b'], 'Usage:'],
  [importFromFile, ['/nowhere/x.gz'], 'cannot be read'],
] as const)('%o %j is answered with what to do', async (command, args, says) => {
  expect(await run(command, args, { HTTP_PORT: '0' })).toEqual({ code: 1, out: '', err: expect.stringContaining(says) });
});
