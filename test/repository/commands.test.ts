import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ROOT, commandFiles, files } from './repository.js';

const all = files.filter((file) => file.startsWith('commands/'));

test('the folder of commands holds commands and the folders of commands, one level deep', () => {
  expect(all).not.toEqual([]);
  expect(all.filter((file) => !/^commands\/([a-z][a-z0-9-]*\/)?[a-z][a-z0-9-]*\.ts$/.test(file))).toEqual([]);
  expect(all.filter((file) => !commandFiles.has(file.split('/')[1]?.replace(/\.ts$/, '') ?? ''))).toEqual([]);
});

test.each([...commandFiles])('/%s is exported by %s, which exports nothing else', async (name, file) => {
  const exported: unknown = await import(pathToFileURL(`${ROOT}${file}`).href);
  expect(exported).toMatchObject({ default: { name } });
  expect(Object.keys(Object(exported))).toEqual(['default']);
});

test('every command has a test of its own', () => {
  expect([...commandFiles.values()].filter((file) => !files.includes(`test/${file.replace(/\.ts$/, '.test.ts')}`))).toEqual([]);
});
