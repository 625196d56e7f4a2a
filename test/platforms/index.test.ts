import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import { readConfig } from '../../src/config.js';
import { greetingHints, PLATFORMS } from '../../src/platforms/index.js';

/** What a file imports when it is loaded: neither types nor dynamic imports. */
const STATIC = /^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s)?'([^']+)';/gmu;

const PACKAGE = /^(?:@[^/]+\/)?[^/]+/u;

/** The packages and files that loading a file loads, through all files it imports. */
function loadedBy(entry: string): { readonly packages: ReadonlySet<string>; readonly files: readonly string[] } {
  const packages = new Set<string>();
  const files = new Set([resolve(entry)]);
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(STATIC))
      if (name.startsWith('.')) files.add(resolve(dirname(file), name.replace(/\.js$/u, '.ts')));
      else packages.add(PACKAGE.exec(name)?.[0] ?? name);
  return { packages, files: [...files].map((file) => relative('.', file)) };
}

const packagesOf = (entry: string): ReadonlySet<string> => loadedBy(entry).packages;

const PLATFORM_LIBRARIES = ['discord.js', 'grammy'];
const STORE_LIBRARIES = ['keyv', '@keyv/sqlite', '@keyv/postgres', 'pg', '@keyv/redis', '@redis/client'];
/** Loaded by the drawing thread, and when somebody asks for it. */
const LATER = ['echarts', '@resvg/resvg-js', 'fontkit', '@modelcontextprotocol/sdk', 'ical-generator', 'feed'];

test('the libraries of platforms and stores are not loaded before one is connected', () => {
  for (const entry of ['src/main.ts', 'src/cli/ask.ts', 'src/cli/doctor.ts']) {
    const packages = packagesOf(entry);
    expect(packages).toContain('zod');
    for (const library of [...PLATFORM_LIBRARIES, ...STORE_LIBRARIES, ...LATER]) expect(packages).not.toContain(library);
  }
  expect(packagesOf('src/platforms/discord/discord.ts')).toContain('discord.js');
  expect(packagesOf('src/platforms/discord/discord.ts')).not.toContain('grammy');
  expect(packagesOf('src/platforms/telegram/telegram.ts')).toContain('grammy');
  expect(packagesOf('src/platforms/telegram/telegram.ts')).not.toContain('discord.js');
  const ofSqlite = packagesOf('src/store/sqlite.ts');
  expect(STORE_LIBRARIES.filter((library) => ofSqlite.has(library))).toEqual(['keyv', '@keyv/sqlite']);
});

test('a bot on a service of its own loads neither the simulator nor the doctor', () => {
  const { files } = loadedBy('src/main.ts');
  expect(files).toContain('src/simulator/reach-service.ts');
  expect(files).not.toContain('src/simulator/server.ts');
  expect(files.filter((file) => file.startsWith('src/operations/doctor/'))).toEqual([]);
});

test('no two platforms share a name or a variable', () => {
  const names = PLATFORMS.map(({ name }) => name);
  const variables = PLATFORMS.flatMap((platform) => Object.keys(platform.variables));
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(variables).size).toBe(variables.length);
});

describe.each(PLATFORMS)('$name', ({ name, title }) => {
  test('names its addresses, and is titled as it is named', () => {
    expect(address(name, '1')).toBe(`${name}/1`);
    expect(title.toLowerCase()).toBe(name);
  });

  test('adds a sentence to the greeting, at least in a group', () => {
    expect(greetingHints(address(name, '-100'))).not.toEqual([]);
  });
});

test.each(PLATFORMS.flatMap(({ enabledBy, ...platform }) => (enabledBy === undefined ? [] : [{ ...platform, enabledBy }])))(
  '$name is connected by its token, and only by one that can be one',
  ({ variables, configure, enabledBy }) => {
    expect(Object.keys(variables)).toContain(enabledBy);
    expect(configure({})).toEqual({ connected: undefined });
    expect(configure({ [enabledBy]: 'x' })).toMatchObject({ issues: [{ path: [enabledBy] }] });
  },
);

test.each(PLATFORMS.filter(({ enabledBy }) => enabledBy === undefined))('$name needs no token', ({ name, configure }) => {
  expect(configure({})).toMatchObject({ connected: { name, hasToken: false, secrets: [] } });
});

test.each(PLATFORMS.flatMap(({ name, circles }) => (circles === undefined ? [] : [{ name, circles }])))(
  'people and the other circles of $name can be listed for access',
  ({ name, circles }) => {
    expect(circles.kinds).toContain('user');
    const access = circles.kinds.map((kind) => `${name}/${kind}/1234567890`);
    expect(readConfig({ ACCESS: access.join(','), OPERATORS: `${name}/user/1234567890` }).access.listed).toEqual(access);
  },
);

test.each(PLATFORMS.filter(({ circles }) => circles === undefined))('nobody asks on $name, so nobody there is an operator', ({ name }) => {
  expect(() => readConfig({ OPERATORS: `${name}/user/1234567890` })).toThrow('OPERATORS');
});
