import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

test('help shows eight tasks, each with an example that works here, and leads to all commands', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  await say('/watch heron');
  const { text, reply } = await say('/help');
  const [list] = reply.blocks;
  expect(list?.kind === 'list' && list.items).toHaveLength(8);
  expect(reply.actions.map(({ line }) => line)).toEqual(expect.arrayContaining(['/watch heron', '/premium heron 3M', '/help all']));
  for (const { line } of reply.actions.slice(0, 8)) expect(text).toContain(`: ${line}\n`);
  expect(await deadButtons(reply)).toEqual([]);
});

test('help lists every command once, under a heading', async () => {
  const { say, registry, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/help all');
  for (const name of registry.commands.keys())
    expect(
      text.split('\n').filter((line) => line.startsWith(`/${name}:`)),
      name,
    ).toHaveLength(1);
  const heading = (word: string) => text.split('\n').indexOf(word);
  const at = (name: string) => text.split('\n').findIndex((line) => line.startsWith(`/${name}`));
  expect(at('premium')).toBeGreaterThan(heading('Data'));
  expect(at('watch:')).toBeGreaterThan(heading('Alerts'));
  expect(at('premium')).toBeLessThan(heading('Alerts'));
  expect(await deadButtons(reply)).toEqual([]);
});

test('help on one command shows its options, their choices and examples', async () => {
  const { say } = await openAppHarness({ answers: {} });
  expect((await say('/help /PREMIUM')).text.split('\n')).toEqual([
    expect.stringMatching(/^\/premium: /u),
    'Premium: how far the price is above NAV per share, in percent. A negative premium is a discount.',
    'Usage: /premium <project> [range] [at]',
    'project: a project (symbol, name or slug)',
    'range (optional): time range',
    '  1D, 1W, 1M, 3M, ALL',
    expect.stringMatching(/^at \(optional\): .+2026-11-01T14:00$/u),
    'Examples',
    '/premium tide',
    '/premium tide 1M',
    '/premium project:"Heron Flats" range:ALL',
    '/premium tide at:2026-11-01',
    '[All commands: /help all] [Common tasks: /help]',
  ]);
});

test('help on what is no command names the nearest', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/help premuim');
  expect(text).toContain('No command "premuim". Did you mean premium or remind?');
  expect(await deadButtons(reply)).toEqual([]);
});

test.each([
  ['permissions', 'Administrators change what is alerted here'],
  ['topics', 'Alerts go to the topic'],
  ['forgetting', 'Each person deletes their own data'],
])('/help %s answers a question that no command answers', async (page, begins) => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  const { text, reply } = await say(`/help ${page}`);
  expect(text.startsWith(begins)).toBe(true);
  expect(await deadButtons(reply)).toEqual([]);
});
