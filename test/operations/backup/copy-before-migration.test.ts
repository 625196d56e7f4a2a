import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { DAY, later } from '../../../src/base/clock.js';
import { copyBeforeMigration } from '../../../src/operations/backup/copy-before-migration.js';
import { readExport } from '../../../src/operations/backup/export-file.js';
import { FORMAT } from '../../../src/store/format.js';
import { handClock } from '../../support/clock.js';
import { sharedEngineDouble } from '../../support/shared-engine.js';

const box = { prefix: 'box', schema: z.string(), version: 1 };

/** A database that an earlier version wrote. */
async function open() {
  const clock = handClock();
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-copy-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  const { store } = sharedEngineDouble(clock).process();
  await store.shared.acquire('one', DAY);
  await store.collection(box).set('a', 'kept');
  let format = FORMAT - 1;
  const mark = { earlier: () => (format < FORMAT ? format : undefined), raise: async () => void (format = FORMAT) };
  return {
    folder,
    age: () => (format = FORMAT - 1),
    isRaised: () => format === FORMAT,
    copy: async (into = folder, days = 0) =>
      copyBeforeMigration({ ...store, shared: { ...store.shared, format: mark } }, { folder: into, now: later(clock.now(), days * DAY) }),
  };
}

test('the database is exported in the format of the earlier version before it is raised, once', async () => {
  const { folder, copy, isRaised } = await open();
  const path = (await copy(join(folder, 'data'))) ?? '';
  const { header, documents } = await readExport(path);
  expect([header.storeFormat, documents, isRaised()]).toEqual([FORMAT - 1, 1, true]);
  expect(await copy()).toBeUndefined();
});

test('without a folder that can be written nothing is raised, and the sentence says what to do', async () => {
  const { folder, copy, isRaised } = await open();
  const plain = join(folder, 'plain');
  await writeFile(plain, '');
  await expect(copy(join(plain, 'data'))).rejects.toMatchObject({
    trouble: 'failed',
    message: expect.stringContaining(join(plain, 'data')),
  });
  expect([isRaised(), await readdir(folder)]).toEqual([false, ['plain']]);
});

test('the two newest copies are kept', async () => {
  const { folder, copy, age } = await open();
  for (const day of [0, 1, 2]) {
    age();
    await copy(folder, day);
  }
  expect(await readdir(folder)).toHaveLength(2);
});
