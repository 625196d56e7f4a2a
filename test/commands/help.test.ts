import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

test('help lists every command once, under a heading, with how it is used', async () => {
  const { say, registry, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/help');
  for (const name of registry.commands.keys())
    expect(
      text.split('\n').filter((line) => line.startsWith(`/${name} `) || line.startsWith(`/${name}:`)),
      name,
    ).toHaveLength(1);
  const heading = (word: string) => text.split('\n').indexOf(word);
  const at = (name: string) => text.split('\n').findIndex((line) => line.startsWith(`/${name}`));
  expect(at('premium')).toBeGreaterThan(heading('Asking'));
  expect(at('watch ')).toBeGreaterThan(heading('Watching'));
  expect(at('premium')).toBeLessThan(heading('Watching'));
  expect(text).toContain('/premium <project> [range] [at]: ');
  expect(await deadButtons(reply)).toEqual([]);
});

test('help on one command shows its options, their choices and examples', async () => {
  const { say } = await openAppHarness({ answers: {} });
  expect((await say('/help /PREMIUM')).text.split('\n')).toEqual([
    expect.stringMatching(/^\/premium: /u),
    'Usage: /premium <project> [range] [at]',
    'project: a project (symbol, name or slug)',
    'range: time range (may be left out)',
    '  1D, 1W, 1M, 3M, ALL',
    expect.stringMatching(/^at: .+2026-11-01T14:00Z/u),
    '/premium tide',
    '/premium tide 1M',
    '/premium project:"Heron Flats" range:ALL',
    '/premium tide at:2026-11-01',
    '[All commands: /help]',
  ]);
});

test('help on what is no command names the nearest', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/help premuim');
  expect(text).toContain('There is no command "premuim". Did you mean premium?');
  expect(await deadButtons(reply)).toEqual([]);
});
