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

/** npm runs these by itself before the script of the rest of their name; the others are explained by the script that they are part of. */
const isPart = (name: string): boolean => (name.startsWith('pre') && name.slice('pre'.length) in scripts) || name.startsWith('check:');

test('every npm script is explained by a document', () => {
  const text = documents
    .filter((document) => document !== 'CHANGELOG.md')
    .map(read)
    .join('\n');
  const isNamed = (name: string): boolean => new RegExp(`npm (?:run )?(?:--silent |-s )?${name}(?![\\w:-])`, 'u').test(text);
  expect(Object.keys(scripts).filter((name) => !isPart(name) && !isNamed(name))).toEqual([]);
});

/** What a part of a script starts: a file of ours, a file that the build makes of one, files of tests, or a program of a package. */
function missingIn(part: string): readonly string[] {
  const [program = '', ...words] = part.split(/\s+/u).filter((word) => word !== 'exec');
  const named = words.filter(
    (word) => /^[\w./-]+\.(?:[cm]?[jt]s|json)$/u.test(word) || /^(?:\.\/)?(?:src|test|commands)(?:\/|$)/u.test(word),
  );
  const missing = named.map((path) => path.replace(/^dist\/(.+)\.js$/u, '$1.ts')).filter((path) => !existsSync(join(ROOT, path)));
  const isKnown = program === 'node' || program === 'npm' || existsSync(join(ROOT, 'node_modules/.bin', program));
  return isKnown ? missing : [program, ...missing];
}

const isLike = (pattern: string, file: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*')}$`, 'u').test(file);

test.each(Object.entries(scripts))('what the npm script %s starts exists', async (_, script) => {
  expect(script.split(' && ').flatMap(missingIn)).toEqual([]);
  const [, config] = /vitest run --config (\S+)/u.exec(script) ?? [];
  if (config === undefined) return;
  const include = [...read(config).matchAll(/include: \[([^\]]+)\]/gu)].flatMap(([, list = '']) => list.match(/(?<=')[^']+(?=')/gu) ?? []);
  expect(include.filter((pattern) => files.some((file) => isLike(pattern, file)))).not.toEqual([]);
});

test('a script that starts what does not exist is noticed', () => {
  expect(['node test/gone/run.ts', 'nonesuch run', 'node dist/src/gone.js'].flatMap(missingIn)).toEqual([
    'test/gone/run.ts',
    'nonesuch',
    'src/gone.ts',
  ]);
});

test('a path that does not exist is noticed', () => {
  expect(namedPaths('see `src/nowhere/at-all.ts`, commands/<name>.ts and test/**/*.test.ts')).toEqual(['src/nowhere/at-all.ts']);
});
