import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { FEEDS } from '../../src/feeds/index.js';
import { feedList } from '../support/feed-list.js';
import { ROOT, files } from './repository.js';

/** Whether a value is what `defineFeed` makes. */
const isFeed = (value: unknown): boolean => typeof value === 'object' && value !== null && 'check' in value && 'spec' in value;

// A file snapshot: run with `--update` it writes the list, else it compares.
test('every file of a feed is in the list of feeds, under its own name', async () => {
  const feedFiles = files.filter((file) => /^src\/feeds\/[^/]+\.ts$/.test(file) && !file.endsWith('/index.ts'));
  const exported = await Promise.all(
    feedFiles.map(async (file) => {
      const module: unknown = await import(pathToFileURL(`${ROOT}${file}`).href);
      const names = Object.entries(Object(module)).flatMap(([name, value]) => (isFeed(value) ? [name] : []));
      return names.map((name) => ({ name, file: basename(file, '.ts') }));
    }),
  );
  const found = exported.flat();
  expect(found).not.toEqual([]);
  expect(found.filter(({ name, file }) => name !== file)).toEqual([]);
  await expect(await feedList(found.map(({ name }) => name).toSorted())).toMatchFileSnapshot('../../src/feeds/index.ts');
});

test('every feed has an id, a place in lists and a test of its own', () => {
  expect(new Set(FEEDS.map(({ id }) => id)).size).toBe(FEEDS.length);
  expect(new Set(FEEDS.map(({ order }) => order)).size).toBe(FEEDS.length);
  expect(FEEDS.map((feed) => `test/feeds/${feed.id}.test.ts`).filter((file) => !files.includes(file))).toEqual([]);
});
