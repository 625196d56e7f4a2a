import { expect, test } from 'vitest';
import { withHelp } from '../../src/cli/terminal.js';

test('--help alone prints the usage, and anything else goes to the command', async () => {
  const said: string[] = [];
  const asked: (readonly string[])[] = [];
  const command = withHelp('Usage: this', async (argv: readonly string[]) => {
    asked.push(argv);
    return 3;
  });
  const out = (text: string): void => void said.push(text);
  const codes = [];
  for (const argv of [['--help'], ['-h'], ['--help', 'me'], []]) codes.push(await command(argv, { out }));
  expect([codes, said, asked]).toEqual([
    [0, 0, 3, 3],
    ['Usage: this', 'Usage: this'],
    [['--help', 'me'], []],
  ]);
});
