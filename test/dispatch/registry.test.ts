import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { FEEDS } from '../../src/feeds/index.js';
import { loadRegistry } from '../../src/dispatch/registry.js';
import { openAppHarness } from '../support/app-harness.js';

const packages = new URL('../../node_modules/zod/index.js', import.meta.url).href;
const dispatch = new URL('../../src/dispatch/command.ts', import.meta.url).href;

/** The text of a command file. */
const written = (name: string, args = 'z.object({})') => `
  import { z } from '${packages}';
  import { defineCommand } from '${dispatch}';
  export default defineCommand({ name: '${name}', summary: 'Something', args: ${args}, examples: ['/${name}'], run: async () => ({}) });`;

/** Loads a folder with these files. */
async function load(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-commands-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const { directory, watchlists } = await openAppHarness();
  return loadRegistry({ kinds: ['supply'], directory, watchlists, liveProposals: async () => [], folder: pathToFileURL(`${folder}/`) });
}

test('a file in the folder is a command, and nothing else registers it', async () => {
  const { commands, catalogue } = await load({
    'hello.ts': written('hello', `z.object({ whom: z.enum(['me', 'you']).default('me').describe('to whom') })`),
    'notes.txt': 'no command',
  });
  expect([...commands.keys()]).toEqual(['hello']);
  expect(catalogue.commands).toEqual([
    {
      name: 'hello',
      summary: 'Something',
      reads: true,
      examples: ['/hello'],
      options: [{ name: 'whom', summary: 'to whom', required: false, completes: false, choices: ['me', 'you'] }],
    },
  ]);
});

test('a folder is the command that its index file exports, and the files beside that are none', async () => {
  const { commands } = await load({
    'treasury/index.ts': written('treasury'),
    'treasury/nav.ts': 'export const nav = 1;',
    'treasury/runway.ts': written('runway'),
    'help.ts': written('help'),
  });
  expect([...commands.keys()]).toEqual(['help', 'treasury']);
});

test('an option in whose place a file can be sent says so to the platforms, and no other does', async () => {
  const args = `z.object({ how: z.enum(['a', 'b']).optional().describe('how'), list: z.string().optional().describe('a list').meta({ file: true }) })`;
  const { catalogue } = await load({ 'hello.ts': written('hello', args) });
  expect(catalogue.commands[0]?.options.map(({ name, file }) => [name, file])).toEqual([
    ['how', undefined],
    ['list', true],
  ]);
});

test.each([
  [
    "a name that is not its file's",
    { 'hello.ts': written('hallo') },
    'commands/hello.ts calls itself "hallo"; a command is named as its file or folder',
  ],
  [
    "a name that is not its folder's",
    { 'hello/index.ts': written('hallo') },
    'commands/hello/index.ts calls itself "hallo"; a command is named as its file or folder',
  ],
  ['a folder without an index file', { 'hello/view.ts': 'export const view = 1;' }, 'commands/hello/index.ts cannot be loaded'],
  [
    'a folder of the same name',
    { 'hello.ts': written('hello'), 'hello/index.ts': written('hello') },
    'commands/hello is both a file and a folder; keep one of them',
  ],
  [
    'no command in it',
    { 'hello.ts': 'export default 1;' },
    'commands/hello.ts does not export a command; end it with "export default defineCommand({ … })"',
  ],
  [
    'an option without help',
    { 'hello.ts': written('hello', 'z.object({ whom: z.string() })') },
    'commands/hello: option whom has no help; add .describe()',
  ],
  [
    'a required word behind one that may be left out',
    { 'hello.ts': written('hello', `z.object({ a: z.string().optional().describe('a'), b: z.string().describe('b') })`) },
    'commands/hello: a required option stands behind one that may be left out; put it first',
  ],
  [
    'an option behind the rest of the line',
    { 'hello.ts': written('hello', `z.object({ a: z.string().describe('a').meta({ rest: true }), b: z.string().describe('b') })`) },
    'commands/hello: only the last option can take the rest of the line',
  ],
  [
    'a required option in whose place a file can be sent',
    { 'hello.ts': written('hello', `z.object({ a: z.string().describe('a').meta({ file: true }) })`) },
    'commands/hello: an option in whose place a file can be sent must be one that may be left out',
  ],
  [
    'free text before the line as it was written',
    {
      'hello.ts': written(
        'hello',
        `z.object({ a: z.string().optional().describe('a'), b: z.string().optional().describe('b').meta({ verbatim: true }) })`,
      ),
    },
    'commands/hello: an option that takes the line as it was written can stand behind choices and forms only',
  ],
])('a file with %s stops the start with a sentence', async (_, files, sentence) => {
  await expect(load(files)).rejects.toThrow(sentence);
});

test('the commands of the bot have examples that are understood, and choices where they are few', async () => {
  const { registry, say } = await openAppHarness();
  for (const { name, examples } of registry.catalogue.commands)
    for (const example of examples) {
      const { reply } = await say(example);
      // A question in plain words is answered, not run.
      if (name === 'ask') continue;
      expect([
        example,
        reply.blocks.filter(({ kind }) => kind === 'line').some((block) => JSON.stringify(block).includes('Usage: ')),
      ]).toEqual([example, example === '/help premium']);
    }
  const alerts = registry.catalogue.commands.find(({ name }) => name === 'alerts');
  expect(alerts?.options.find(({ name }) => name === 'kind')?.choices).toEqual(FEEDS.map(({ id }) => id));
});
