/** The file of an export, and how it becomes a store again. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { exportStream } from '../../../src/operations/backup/export-format.js';
import { readExport, saveExport } from '../../../src/operations/backup/export-file.js';
import { exportHere } from '../../../src/operations/backup/owned-store.js';
import { importInto } from '../../../src/operations/backup/import.js';
import { FORMAT } from '../../../src/store/backend.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { handClock } from '../../support/clock.js';

const clock = handClock();
const box = { prefix: 'box', schema: z.string(), version: 1 };
const contentsOf = async (store: Store) => (await store.collection(box).list()).found;

async function folderFor(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-backup-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A database with these documents, which nobody has open. */
async function filled(folder: string, documents: Readonly<Record<string, string>>, name = 'navwatch'): Promise<string> {
  const url = `sqlite://${join(folder, `${name}.sqlite`)}`;
  const store = await openStore(url);
  for (const [key, text] of Object.entries(documents)) await store.collection(box).set(key, text);
  await store.close();
  return url;
}

async function contentsAt(url: string) {
  const store = await openStore(url);
  try {
    return await contentsOf(store);
  } finally {
    await store.close();
  }
}

const linesOf = (file: Buffer): string[] => gunzipSync(file).toString().split('\n').slice(0, -1);

/** Lines as a whole file, with a trailer that fits. */
function packed(lines: readonly string[], trailer?: object): Buffer {
  const text = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return gzipSync(`${text}${JSON.stringify(trailer ?? { documents: lines.length - 1, sha256 })}\n`);
}

const header = (changed: object = {}) =>
  JSON.stringify({ application: 'navwatch', format: 1, storeFormat: FORMAT, at: '2026-11-23T01:00:00.000Z', ...changed });
const document = (key: string) => JSON.stringify([key, '{"v":1,"d":"x"}']);

test('what was exported from one store is in the other after the import, whatever it was', async () => {
  const folder = await folderFor();
  const documents = { plain: 'x', 'odd \u{1F30A}"\\': '\n\u2028\u0000 ', large: 'wave '.repeat(5_000) };
  const from = await filled(folder, documents);
  const file = join(folder, 'export.gz');
  expect(await exportHere({ storeUrl: from, file, clock })).toMatchObject({ documents: 3, unreadable: 0, header: { storeFormat: FORMAT } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const to = `sqlite://${join(folder, 'other', 'navwatch.sqlite')}`;
  expect(await importInto({ storeUrl: to, file, replace: false, clock })).toMatchObject({ documents: 3, unreadable: 0 });
  expect(await contentsAt(to)).toEqual(await contentsAt(from));
});

test('a store with documents is left alone, and with --replace they are saved first', async () => {
  const folder = await folderFor();
  const file = join(folder, 'export.gz');
  await exportHere({ storeUrl: await filled(folder, { a: 'new' }), file, clock });
  const to = await filled(folder, { a: 'old', b: 'old' }, 'other');
  await expect(importInto({ storeUrl: to, file, replace: false, clock })).rejects.toMatchObject({ name: 'BackupError' });
  expect(await contentsAt(to)).toEqual([
    ['a', 'old'],
    ['b', 'old'],
  ]);
  const { saved = '' } = await importInto({ storeUrl: to, file, replace: true, clock });
  await clock.advance(1_000);
  expect(await contentsAt(to)).toEqual([['a', 'new']]);
  expect((await stat(saved)).mode & 0o777).toBe(0o600);
  await importInto({ storeUrl: to, file: saved, replace: true, clock });
  expect(await contentsAt(to)).toEqual([
    ['a', 'old'],
    ['b', 'old'],
  ]);
});

test('a store that a bot has open takes no import', async () => {
  const folder = await folderFor();
  const file = join(folder, 'export.gz');
  const url = await filled(folder, { a: 'x' });
  await exportHere({ storeUrl: url, file, clock });
  const bot = await openStore(url);
  // Each waits a second for the lock.
  const refused = [importInto({ storeUrl: url, file, replace: true, clock }), exportHere({ storeUrl: url, file: `${file}2`, clock })];
  await Promise.all(refused.map(async (attempt) => expect(attempt).rejects.toMatchObject({ trouble: 'locked' })));
  await bot.close();
  expect((await readdir(folder)).toSorted()).toEqual(['export.gz', 'navwatch.sqlite']);
});

test('an import that is killed leaves a store that no bot opens and that the same import fills', async () => {
  const folder = await folderFor();
  const file = join(folder, 'export.gz');
  await exportHere({ storeUrl: await filled(folder, { a: 'x', b: 'y' }), file, clock });
  const url = `sqlite://${join(folder, 'to.sqlite')}`;
  const killed = await openStore(url);
  const pages = (async function* () {
    yield [['box/a', '{"v":1,"d":"x"}']] as const;
    throw new Error('killed');
  })();
  await expect(killed.copies.replaceAll(pages)).rejects.toThrow('killed');
  await killed.close();
  await expect(openStore(url)).rejects.toMatchObject({ trouble: 'unreadable' });
  expect(await importInto({ storeUrl: url, file, replace: false, clock })).not.toHaveProperty('saved');
  expect(await contentsAt(url)).toHaveLength(2);
});

const bad: readonly (readonly [string, (good: Buffer) => Buffer])[] = [
  ['nothing', () => Buffer.alloc(0)],
  ['no gzip', () => Buffer.from('{"application":"navwatch"}')],
  ['another program’s gzip', () => gzipSync('hello\n')],
  ['a file cut in the middle', (good) => good.subarray(0, good.length / 2)],
  ['a file cut before its last bytes', (good) => good.subarray(0, -9)],
  ['a file without its last line', (good) => gzipSync(`${linesOf(good).slice(0, -1).join('\n')}\n`)],
  ['a changed byte', (good) => gzipSync(gunzipSync(good).toString().replace('"x', '"y'))],
  ['a damaged byte', (good) => Buffer.concat([good.subarray(0, 40), Buffer.from([255, 0, 255]), good.subarray(43)])],
  ['a missing document', (good) => gzipSync(`${linesOf(good).toSpliced(1, 1).join('\n')}\n`)],
  ['more behind the end', (good) => gzipSync(`${linesOf(good).join('\n')}\n["box/z","{}"]\n`)],
  ['another file behind it', (good) => Buffer.concat([good, good])],
  ['a newer format', () => packed([header({ format: 2 })])],
  ['a newer format of documents', () => packed([header({ storeFormat: FORMAT + 1 })])],
  ['another application', () => packed([header({ application: 'other' })])],
  ['keys of the store itself', () => packed([header(), document('.import')])],
  ['a key without a collection', () => packed([header(), document('box')])],
  ['a key with control characters', () => packed([header(), document('box/a\u0000')])],
  ['a key that occurs twice', () => packed([header(), document('box/a'), document('box/a')])],
  ['keys in another order', () => packed([header(), document('box/b'), document('box/a')])],
  ['a document that is no text', () => packed([header(), '["box/a",{"v":1}]'])],
  ['a trailer with other fields', () => packed([header(), document('box/a')], { documents: 1 })],
  ['a line without an end', () => gzipSync(Buffer.alloc(70 * 1024 * 1024, 'x'), { level: 1 })],
];

test.each(bad)('%s is refused with one sentence, and the store is not touched', async (_, make) => {
  const folder = await folderFor();
  const good = join(folder, 'good.gz');
  const url = await filled(folder, { a: 'x'.repeat(100), b: 'b' });
  await exportHere({ storeUrl: url, file: good, clock });
  const file = join(folder, 'bad.gz');
  await writeFile(file, make(await readFile(good)));
  const before = await readFile(join(folder, 'navwatch.sqlite'));
  const refused: unknown = await importInto({ storeUrl: url, file, replace: true, clock }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'BackupError' });
  expect(String(refused)).not.toContain('\n');
  expect(before.equals(await readFile(join(folder, 'navwatch.sqlite')))).toBe(true);
  expect((await readdir(folder)).toSorted()).toEqual(['bad.gz', 'good.gz', 'navwatch.sqlite']);
});

test('an export is not written over a file that is there, nor where its folder is missing, and leaves nothing when it fails', async () => {
  const folder = await folderFor();
  const url = await filled(folder, { a: 'x' });
  const file = join(folder, 'export.gz');
  await writeFile(file, 'mine');
  await expect(exportHere({ storeUrl: url, file, clock })).rejects.toMatchObject({ name: 'BackupError' });
  expect(await readFile(file, 'utf8')).toBe('mine');
  await expect(exportHere({ storeUrl: url, file: join(folder, 'none', 'x.gz'), clock })).rejects.toMatchObject({ name: 'BackupError' });
  const store = await openStore('memory://');
  await store.collection(box).set('a', 'x');
  const broken = await exportStream(store, clock.now());
  const saving = saveExport(broken, join(folder, 'cut.gz'));
  broken.destroy();
  await expect(saving).rejects.toMatchObject({ name: 'BackupError' });
  expect((await readdir(folder)).toSorted()).toEqual(['export.gz', 'navwatch.sqlite']);
});

test('a document that Navwatch cannot read is copied as it is, and counted', async () => {
  const folder = await folderFor();
  const file = join(folder, 'odd.gz');
  await writeFile(file, packed([header(), document('box/a'), JSON.stringify(['box/b', 'half {'])]));
  expect(await readExport(file)).toMatchObject({ documents: 2, unreadable: 1 });
});

test('a reader who takes nothing more holds neither memory nor the store, and one who leaves ends the export', async () => {
  const store = await openStore('memory://');
  for (let n = 0; n < 400; n += 1) await store.collection(box).set(`k${n}`, `${Math.random()}`.repeat(2_000));
  const file = await exportStream(store, clock.now());
  file.read();
  await once(file, 'readable');
  await expect(exportStream(store, clock.now())).rejects.toMatchObject({ trouble: 'locked' });
  expect(file.readableLength).toBeLessThan(200_000);
  file.destroy();
  await once(file, 'close');
  await new Promise((resolve) => void setImmediate(resolve));
  const again = await exportStream(store, clock.now());
  again.destroy();
});
