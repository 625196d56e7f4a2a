import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT, files, read } from './repository.js';

const documents = files.filter((file) => file.endsWith('.md'));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

/** Paths of this repository that a text names. A placeholder (`commands/<name>.ts`, `commands/x.ts`) and a pattern with a star are no paths. */
const PATH = /(?<![\w./@:<-])(?:src|commands|test|docs|\.ci)\/[\w./*<>{},-]*[\w/*>}]/g;
const namedPaths = (text: string) => [...text.matchAll(PATH)].map(([path]) => path).filter((path) => !/[*<>{}]|\/x\.[a-z.]+$/.test(path));
const links = (text: string) => [...text.matchAll(/\]\((?!<?https?:|mailto:|#)([^)#\s]+)/g)].map(([, target = '']) => target);

test('the documents a newcomer expects are there', () => {
  for (const name of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE', 'docs/architecture.md']) expect(files).toContain(name);
});

test.each(documents)('every path that %s names exists', (document) => {
  expect(namedPaths(read(document)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test.each(documents)('every link inside %s leads somewhere', (document) => {
  expect(links(read(document)).filter((target) => !existsSync(join(ROOT, dirname(document), target)))).toEqual([]);
});

test.each(documents)('every npm script that %s names exists', (document) => {
  const named = [...read(document).matchAll(/npm run (?:--silent |-s )?([a-z][\w-]*(?::\w[\w-]*)*)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('a path that does not exist is noticed', () => {
  expect(namedPaths('see `src/nowhere/at-all.ts`, commands/<name>.ts and test/**/*.test.ts')).toEqual(['src/nowhere/at-all.ts']);
});
