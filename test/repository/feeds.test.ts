import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { FEEDS } from '../../src/feeds/index.js';
import { ROOT, files } from './repository.js';

/** Whether a value is what `defineFeed` makes. */
const isFeed = (value: unknown): boolean => typeof value === 'object' && value !== null && 'check' in value && 'spec' in value;

test('every feed is in the list of feeds, once', async () => {
  const feedFiles = files.filter((file) => /^src\/feeds\/[^/]+\.ts$/.test(file) && !file.endsWith('/index.ts'));
  const modules: readonly unknown[] = await Promise.all(feedFiles.map((file) => import(pathToFileURL(`${ROOT}${file}`).href)));
  const found = modules.flatMap((module) => Object.values(Object(module))).filter(isFeed);
  expect(found).not.toEqual([]);
  expect(new Set(FEEDS)).toEqual(new Set(found));
  expect(new Set(FEEDS.map((feed) => feed.id)).size).toBe(FEEDS.length);
});

test('every feed has a test of its own', () => {
  expect(FEEDS.map((feed) => `test/feeds/${feed.id}.test.ts`).filter((file) => !files.includes(file))).toEqual([]);
});
