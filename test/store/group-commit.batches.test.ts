/** What callers of the SQLite store see of group commit: nothing but its speed. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyvSqlite } from '@keyv/sqlite';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openStore, type StoreOptions } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { runs } from '../support/properties.js';
import { floodCall, flooded } from './child/flood.js';
import { startStore } from './child/start.js';

const root = await mkdtemp(join(tmpdir(), 'navwatch-batches-'));
let count = 0;
const opened: Store[] = [];
const texts = { prefix: 'box', schema: z.string(), version: 1 };

const open = async (options?: StoreOptions) => {
  const file = join(root, `${(count += 1)}`, 'navwatch.sqlite');
  const store = await openStore(`sqlite://${file}`, options);
  opened.push(store);
  return { file, store, box: store.collection(texts) };
};

/** A store whose database refuses every text that holds the word. */
async function openRefusing(word: string) {
  const { file, store } = await open();
  await store.close();
  const adapter = new KeyvSqlite({ uri: `sqlite://${file}`, table: 'documents' });
  await adapter.query(
    `CREATE TRIGGER refusing BEFORE INSERT ON documents WHEN new.value LIKE '%${word}%' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
  );
  await adapter.close();
  const again = await openStore(`sqlite://${file}`);
  opened.push(again);
  return again.collection(texts);
}

const statusOf = (results: readonly PromiseSettledResult<unknown>[]) => results.map(({ status }) => status);

afterAll(async () => {
  await Promise.all(opened.map(async (store) => store.close()));
  await rm(root, { recursive: true, force: true });
});

/** So many characters that take as much room in the store. */
const incompressible = (characters: number): string => randomBytes(characters).toString('base64').slice(0, characters);

test('whatever is called at once, a read sees the calls before it and none after, and each key keeps its last call', async () => {
  const call = fc.record({ key: fc.constantFrom('a', 'b', 'c'), kind: fc.constantFrom('set', 'delete', 'get', 'list') });
  const { store } = await open();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
      const box = store.collection({ ...texts, prefix: `box${(round += 1)}` });
      const stands = new Map<string, string>();
      const all = () => [...stands].toSorted(([a], [b]) => a.localeCompare(b));
      const done: Promise<unknown>[] = [];
      const expected: unknown[] = [];
      for (const [at, { key, kind }] of calls.entries()) {
        if (kind === 'get') {
          expected.push(stands.get(key));
          done.push(box.get(key));
        } else if (kind === 'list') {
          expected.push(all());
          done.push(box.list().then(({ found }) => found));
        } else {
          if (kind === 'set') stands.set(key, String(at));
          else stands.delete(key);
          expected.push(undefined);
          done.push(kind === 'set' ? box.set(key, String(at)) : box.delete(key));
        }
      }
      expect(await Promise.all(done)).toEqual(expected);
      expect((await box.list()).found).toEqual(all());
    }),
    { numRuns: runs(60) },
  );
});

test('thousands of sets at once, of many sizes, all stand', async () => {
  const { box } = await open();
  const documents = Array.from({ length: 2_000 }, (_, n) => [`k${n}`, `${n} `.repeat(n)] as const);
  await Promise.all(documents.map(async ([key, text]) => box.set(key, text)));
  expect(new Map((await box.list()).found)).toEqual(new Map(documents));
});

test('a document that the database refuses fails alone, with sets and deletes around it', async () => {
  const box = await openRefusing('poison');
  await box.set('old', 'to be deleted');
  const results = await Promise.allSettled([
    box.set('first', 'fine'),
    box.set('a', 'fine'),
    box.set('bad', 'poison'),
    box.delete('old'),
    box.set('c', 'fine'),
    box.set('c', 'also poison'),
  ]);
  expect(statusOf(results)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected']);
  expect(results[2]).toMatchObject({ reason: { name: 'StoreError', trouble: 'failed' } });
  expect((await box.list()).found).toEqual([
    ['a', 'fine'],
    ['c', 'fine'],
    ['first', 'fine'],
  ]);
  await box.set('later', 'fine');
  expect(await box.get('later')).toBe('fine');
});

test('on a full disk what fits is stored, and each of the others says so itself', async () => {
  const { box, store } = await open({ pragmas: ['max_page_count = 160'] });
  await box.set('gone', 'deleted in the same batch');
  const results = await Promise.allSettled([
    box.set('first', 'fits'),
    box.set('large', incompressible(400_000)),
    box.delete('gone'),
    box.set('small', 'fits'),
    box.set('larger', incompressible(500_000)),
  ]);
  expect(statusOf(results)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected']);
  for (const at of [1, 4]) expect(results[at]).toMatchObject({ reason: { name: 'StoreError', trouble: 'full' } });
  expect((await box.list()).found.map(([key]) => key)).toEqual(['first', 'small']);
  await store.check();
});

test('when the file is gone no write of a batch is acknowledged, and all work again once it is back', async () => {
  const { file, box } = await open();
  await box.set('before', 'kept');
  await rename(file, `${file}.away`);
  const lost = await Promise.allSettled(['a', 'b', 'c', 'd'].map(async (key) => box.set(key, 'lost')));
  expect(lost.map((result) => (result.status === 'rejected' ? result.reason : result))).toMatchObject(
    lost.map(() => ({ name: 'StoreError', trouble: 'moved' })),
  );
  await rename(`${file}.away`, file);
  await Promise.all(['a', 'b', 'c', 'd'].map(async (key) => box.set(key, 'kept')));
  expect((await box.list()).found.map(([, text]) => text)).toEqual(['kept', 'kept', 'kept', 'kept', 'kept']);
});

test.each([0, 400, 1_500])(
  'a process killed in a flood of calls, with %d acknowledged, leaves whole documents of a beginning of its calls, and at least those',
  async (upTo) => {
    const file = join(root, `${(count += 1)}`, 'navwatch.sqlite');
    const child = startStore('flood', { url: `sqlite://${file}` });
    let acknowledged = 0;
    for await (const line of child.lines) {
      acknowledged = Math.max(acknowledged, Number(line.replace('stored ', '')) + 1);
      if (acknowledged > upTo) child.kill();
    }
    await child.gone;
    const store = await openStore(`sqlite://${file}`);
    opened.push(store);
    const { found, unreadable } = await store.collection(flooded).list();
    expect(unreadable).toEqual([]);
    const stands = JSON.stringify(found.toSorted(([a], [b]) => a.localeCompare(b)));
    const replay = new Map<string, unknown>();
    const matches: number[] = [];
    for (let calls = 0; calls <= acknowledged + 1_000; calls += 1) {
      if (JSON.stringify([...replay].toSorted(([a], [b]) => a.localeCompare(b))) === stands) matches.push(calls);
      const { key, document } = floodCall(calls);
      if (document === undefined) replay.delete(key);
      else replay.set(key, document);
    }
    // A delete of what is not there leaves the same as the call before it, so there may be several.
    expect(Math.max(...matches)).toBeGreaterThanOrEqual(acknowledged);
  },
);
