import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { reply } from '../../src/chat/reply.js';
import { defineCommand, optionsOf, type Command } from '../../src/dispatch/command.js';
import { parse, type RegisteredCommand } from '../../src/dispatch/parse.js';
import { pageOption, projectOption } from '../../src/reply/index.js';

const answer = async () => reply({ finding: ['ok'] });
const make = (name: string, args: z.ZodObject): Command =>
  defineCommand({ name, summary: `About ${name}`, args, examples: [`/${name}`], run: answer });

const views = z.enum(['summary', 'events', 'chart']).default('summary').describe('what to show');
const ranges = z.enum(['1D', '3M', 'ALL']).default('3M').describe('how far back');
const commands = new Map<string, RegisteredCommand>(
  [
    make('premium', z.object({ project: projectOption, range: ranges })),
    make('supply', z.object({ project: projectOption, view: views, page: pageOption })),
    make('growth', z.object({ project: projectOption, metric: z.string().optional().describe('a metric'), range: ranges })),
    make('alerts', z.object({ kind: z.string().optional().describe('a kind').meta({ choices: 'kinds' }) })),
    make('note', z.object({ to: z.enum(['me', 'all']).describe('whom'), text: z.string().describe('what').meta({ rest: true }) })),
    make('status', z.object({})),
    make(
      'list',
      z.object({
        view: z.enum(['show', 'import']).optional().describe('what to do'),
        page: pageOption,
        text: z.string().optional().describe('a list').meta({ verbatim: true, file: true }),
      }),
    ),
  ].map((command) => [command.name, { command, options: optionsOf(command, ['supply', 'growth']) }]),
);
const NAMES = ['tide', 'heron flats', 'glass pier', 'glass'];
const isName = async (text: string) => NAMES.includes(text.toLowerCase());
const read = async (line: string) => parse({ line }, { commands, isName });
const why = async (line: string): Promise<string> => {
  const mistake: unknown = await read(line).then(
    () => undefined,
    (error: unknown) => error,
  );
  return mistake instanceof Error ? mistake.message : `"${line}" was understood`;
};

describe('a line is understood', () => {
  test.each([
    ['/premium tide 3M', 'premium', { project: 'tide', range: '3M' }],
    ['/premium project:tide range:3M', 'premium', { project: 'tide', range: '3M' }],
    ['/premium range:3m tide', 'premium', { project: 'tide', range: '3M' }],
    ['/premium 3M tide', 'premium', { project: 'tide', range: '3M' }],
    ['/premium RANGE: 1d tide', 'premium', { project: 'tide', range: '1D' }],
    ['premium tide', 'premium', { project: 'tide' }],
    ['/PREMIUM@navwatch_bot tide', 'premium', { project: 'tide' }],
    ['/premium tide all', 'premium', { project: 'tide', range: 'ALL' }],
    ['/premium all 3M', 'premium', { project: 'all', range: '3M' }],
    ['/premium Heron Flats', 'premium', { project: 'Heron Flats' }],
    ['/premium heron 3M flats', 'premium', { project: 'heron flats', range: '3M' }],
    ['/premium "Heron Flats" 1d', 'premium', { project: 'Heron Flats', range: '1D' }],
    ['/premium Never Heard Of', 'premium', { project: 'Never Heard Of' }],
    ['/premium https://x', 'premium', { project: 'https://x' }],
    ['/premium a:b', 'premium', { project: 'a:b' }],
    ['/supply tide events 2', 'supply', { project: 'tide', view: 'events', page: '2' }],
    ['/supply 2 events tide', 'supply', { project: 'tide', view: 'events', page: '2' }],
    ['/growth Heron Flats fees-usd 1D', 'growth', { project: 'Heron Flats', metric: 'fees-usd', range: '1D' }],
    ['/growth Glass Pier', 'growth', { project: 'Glass Pier' }],
    ['/growth unheard fees-usd', 'growth', { project: 'unheard', metric: 'fees-usd' }],
    ['/alerts GROWTH', 'alerts', { kind: 'growth' }],
    ['/note all read me: at https://x', 'note', { to: 'all', text: 'read me: at https://x' }],
    ['status', 'status', {}],
    ['/list', 'list', {}],
    ['/list 2', 'list', { page: '2' }],
    ['/list@navwatch_bot IMPORT', 'list', { view: 'import' }],
    ['/list import\r\n"a, b",c\n\n# it\'s "open', 'list', { view: 'import', text: '"a, b",c\n\n# it\'s "open' }],
    ['/list view:import text: {"a": "b  c"}', 'list', { view: 'import', text: '{"a": "b  c"}' }],
    ['/list import page:3 show', 'list', { view: 'import', page: '3', text: 'show' }],
    ['/list nonsense import', 'list', { text: 'nonsense import' }],
  ])('%s', async (line, name, values) => {
    const parsed = await read(line);
    expect(parsed.command.name).toBe(name);
    expect(parsed.values).toEqual(values);
  });
});

describe('a line that does not fit is answered with the way out', () => {
  test.each([
    ['', 'Type a command, such as /watch. /help shows what you can do.'],
    ['/', 'Type a command, such as /watch. /help shows what you can do.'],
    ['/premum tide', 'No command "premum". Did you mean /premium?'],
    ['/xyzzy', 'No command "xyzzy". /help shows what you can do.'],
    ['/premium "Heron Flats', 'A quote is missing at the end. Add it, or leave both quotes out.'],
    ['/premium range:2W tide', 'Invalid range "2W". Choose 1D, 3M or ALL.'],
    ['/supply tide view:evnts', 'Invalid view "evnts". Did you mean "events"? Choose summary, events or chart.'],
    ['/supply tide page:0', 'Invalid page "0". Expected: a page number, from 1.'],
    ['/supply tide page:two', 'Invalid page "two". Expected: a page number, from 1.'],
    ['/premium tide rnge:3M', '/premium has no option "rnge". Did you mean "range:"?'],
    ['/premium tide range:3M range:1D', '"range" is set twice. Leave one out.'],
    ['/premium tide range:', '"range" needs a value.'],
    ['/supply tide evnts', '/supply doesn\'t understand "evnts". Did you mean "events"? Choose summary, events or chart.'],
    ['/premium tide 3M 1D', '"range" is set twice. Leave one out.'],
    ['/status now', '/status doesn\'t understand "now". It has no options.'],
    ['/alerts movements', '/alerts doesn\'t understand "movements". Choose supply or growth.'],
    ['/list view:imprt x', 'Invalid view "imprt". Did you mean "import"? Choose show or import.'],
    ['/growth tide fees-usd 3M more', '/growth doesn\'t understand "more". Leave it out.'],
  ])('%s', async (line, sentence) => {
    expect(await why(line)).toBe(sentence);
  });
});

test('a form gives options by name, and what it leaves empty is not given', async () => {
  const form = async (options: Record<string, string>) => parse({ command: 'premium', options }, { commands, isName });
  expect((await form({ project: ' tide ', range: 'all' })).values).toEqual({ project: 'tide', range: 'ALL' });
  expect((await form({ project: 'tide', range: ' ' })).values).toEqual({ project: 'tide' });
  await expect(form({ planet: 'tide' })).rejects.toThrow('has no option "planet"');
  await expect(form({ range: '2W' })).rejects.toThrow('Choose 1D, 3M or ALL.');
});

test('an unknown command offers the same line with each near name', async () => {
  await expect(read('/premum "Heron Flats" 3M')).rejects.toMatchObject({
    remedy: { actions: [{ line: '/premium "Heron Flats" 3M' }, { line: '/help' }] },
  });
});

test('a single word causes no name lookup', async () => {
  const asked: string[] = [];
  const note = async (text: string) => {
    asked.push(text);
    return false;
  };
  await parse({ line: '/premium tide 3M' }, { commands, isName: note });
  expect(asked).toEqual([]);
});
