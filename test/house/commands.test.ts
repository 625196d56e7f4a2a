import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ROOT, files } from './repository.js';

const commands = files.filter((file) => file.startsWith('commands/'));

test('the folder of commands holds commands and nothing else', () => {
  expect(commands).not.toEqual([]);
  expect(commands.filter((file) => !/^commands\/[a-z][a-z0-9-]*\.ts$/.test(file))).toEqual([]);
});

test.each(commands)('%s exports a command of its own name, and nothing else', async (file) => {
  const exported: unknown = await import(pathToFileURL(`${ROOT}${file}`).href);
  expect(exported).toMatchObject({ default: { name: file.slice('commands/'.length, -'.ts'.length) } });
  expect(Object.keys(Object(exported))).toEqual(['default']);
});

test('every command has a test of its own', () => {
  expect(commands.filter((file) => !files.includes(`test/${file.replace(/\.ts$/, '.test.ts')}`))).toEqual([]);
});
