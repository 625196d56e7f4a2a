import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { files, read } from './repository.js';

const dockerfile = read('Dockerfile');
const manifest = z
  .object({ scripts: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(read('package.json')));

/** What is at the top level: sources, and what Git, npm, Docker, readers and the tools expect to find there. */
const TOP = [
  ['.ci', 'commands', 'docs', 'src', 'test'],
  ['.dockerignore', '.editorconfig', '.env.example', '.gitignore', 'Dockerfile', 'compose.yaml'],
  ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md'],
  ['build.mjs', 'package-lock.json', 'package.json', 'tsconfig.build.json', 'tsconfig.json'],
  ['.dependency-cruiser.cjs', '.oxlintrc.json', '.prettierignore', '.prettierrc.json', 'knip.json', 'vitest.config.ts'],
].flat();

test('nothing new is at the top level of the repository', () => {
  expect([...new Set(files.map((file) => file.split('/')[0] ?? ''))].filter((name) => !TOP.includes(name))).toEqual([]);
});

test('the image is built from files that exist and that Docker is let to see', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '));
  const seen = read('.dockerignore')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  expect(copied).toContain('src');
  expect(copied.filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
  expect(seen.toSorted()).toEqual([...new Set(copied)].toSorted());
});

test('the image starts what npm start starts, without npm between it and the signals, and not as root', () => {
  const command = z.array(z.string()).parse(JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]'));
  expect(`exec ${command.join(' ')}`).toBe(manifest.scripts['start']);
  expect(dockerfile.lastIndexOf('\nUSER node')).toBeGreaterThan(dockerfile.lastIndexOf('\nFROM '));
  expect(dockerfile).toMatch(/^VOLUME \/app\/data$/m);
});

test('the health check of the image is a program that runs', () => {
  const [, check = ''] = /HEALTHCHECK[^\n]*\\\n {2}CMD (\[.+\])$/m.exec(dockerfile) ?? [];
  const [runner, flag, program = ''] = z.array(z.string()).parse(JSON.parse(check));
  expect([runner, flag]).toEqual(['node', '-e']);
  expect(() => new Script(program)).not.toThrow();
  expect(program).toContain('/healthz');
});

test('npm run check runs every kind of check', () => {
  expect(Object.keys(manifest.scripts).filter((name) => name.startsWith('check:'))).toEqual([
    'check:format',
    'check:types',
    'check:page',
    'check:lint',
    'check:unused',
    'check:imports',
  ]);
});
