import { expect, test } from 'vitest';
import { parse, typedLine } from '../../src/dispatch/parse.js';
import { openAppHarness } from '../support/app-harness.js';

test('a form is written as people type it, with the names of options only where the words alone mean something else', async () => {
  const { registry } = await openAppHarness();
  const deps = { commands: registry.commands, isName: async (text: string) => ['tide', 'ALL'].includes(text) };
  const written = async (command: string, options: Readonly<Record<string, string>>) => {
    const ask = { command, options };
    return typedLine(ask, await parse(ask, deps), deps);
  };
  expect(await written('premium', { project: 'tide', range: '3M' })).toBe('/premium tide 3M');
  expect(await written('premium', { project: 'Heron Flats' })).toBe('/premium "Heron Flats"');
  expect(await written('alerts', { target: 'tide', kind: 'premium', action: 'backtest', rule: 'below -10' })).toBe(
    '/alerts tide premium backtest below -10',
  );
  expect(await written('premium', { project: 'ALL' })).toBe('/premium project:ALL');
  expect(await written('premium', { project: 'Heron Flats', range: '3M' })).toBe('/premium "Heron Flats" 3M');
  expect(await written('proposals', { words: 'hire' })).toBe('/proposals words:hire');
  const line = { line: 'premium@navwatch_bot  tide 3M ' };
  expect(await typedLine(line, await parse(line, deps), deps)).toBe('/premium  tide 3M');
});

test('"/backtest" leads to the alerts of what it names', async () => {
  const { say } = await openAppHarness();
  expect((await say('/backtest tide')).reply.actions).toMatchObject([{ line: '/alerts tide backtest' }]);
});
