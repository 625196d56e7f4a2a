import { chmod, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KeyvSqlite } from '@keyv/sqlite';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { copyBefore } from '../../src/store/copy-before.js';
import { FORMAT } from '../../src/store/format.js';
import { openStore } from '../../src/store/open.js';
import { unpacked } from '../journeys/stores.js';

const count = z.tuple([z.object({ documents: z.int(), old: z.int() })]);

/** The database as another program sees it. */
async function seen(file: string) {
  const adapter = new KeyvSqlite({ uri: `sqlite://${file}`, table: 'documents' });
  const [found] = count.parse(
    await adapter.query("SELECT count(*) AS documents, sum(key LIKE 'mark/%' OR key LIKE 'look/%') AS old FROM documents"),
  );
  const [format]: unknown[] = z.array(z.unknown()).parse(await adapter.query('PRAGMA user_version'));
  await adapter.close();
  return { ...found, format };
}

const copiesIn = async (file: string) => (await readdir(dirname(file))).filter((name) => name.includes('before')).toSorted();

test('a database of an earlier format is copied whole, with what was only in its write-ahead log, before anything in it is changed', async () => {
  const [file, untouched] = [join(await unpacked('killed'), 'navwatch.sqlite'), join(await unpacked('killed'), 'navwatch.sqlite')];
  await chmod(file, 0o644);
  const copied: string[] = [];
  const open = async () => (await openStore(`sqlite://${file}`, { onCopied: (copy) => copied.push(copy) })).close();
  await open();
  expect(copied).toEqual([`${file}.before-${FORMAT}`]);
  const before = await seen(untouched);
  expect(before.old).toBeGreaterThan(100);
  expect(await seen(`${file}.before-${FORMAT}`)).toEqual(before);
  expect((await stat(`${file}.before-${FORMAT}`)).mode & 0o777).toBe(0o600);
  expect(await seen(file)).toEqual({ ...before, old: 0, format: { user_version: FORMAT } });
  await open();
  expect(copied).toHaveLength(1);
}, 20_000);

test('a new database is not copied', async () => {
  const file = join(await unpacked('full'), 'new', 'navwatch.sqlite');
  await (await openStore(`sqlite://${file}`, { onCopied: () => expect.unreachable() })).close();
  expect(await copiesIn(file)).toEqual([]);
});

test('two copies are kept, and what an interrupted one left is removed', async () => {
  const file = join(await unpacked('full'), 'navwatch.sqlite');
  for (const [index, format] of [1, 2].entries()) {
    await writeFile(`${file}.before-${format}`, 'older');
    await utimes(`${file}.before-${format}`, index, index);
  }
  await writeFile(`${file}.before-${FORMAT}.partial`, 'half');
  await writeFile(`${file}.before-the-move`, 'mine');
  await (await openStore(`sqlite://${file}`)).close();
  const name = 'navwatch.sqlite.before-';
  expect(await copiesIn(file)).toEqual([`${name}2`, `${name}${FORMAT}`, `${name}the-move`].toSorted());
}, 20_000);

test('a copy that fails stops the start, and the database is as it was', async () => {
  const file = join(await unpacked('full'), 'navwatch.sqlite');
  const before = await seen(file);
  const full = {
    query: async (statement: string) => {
      if (statement.startsWith('VACUUM')) throw Object.assign(new Error('disk'), { code: 'SQLITE_FULL' });
      return [{ bytes: 1 }];
    },
  };
  await expect(copyBefore(FORMAT, { adapter: full, path: file })).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  const large = { query: async () => [{ bytes: 2 ** 52 }] };
  await expect(copyBefore(FORMAT, { adapter: large, path: file })).rejects.toMatchObject({ trouble: 'full' });
  expect(await copiesIn(file)).toEqual([]);
  expect(await seen(file)).toEqual(before);
});
