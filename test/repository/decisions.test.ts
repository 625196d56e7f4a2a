import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = new URL('../../docs/decisions/', import.meta.url);

test('each decision has a number of its own, which its title repeats', () => {
  const files = readdirSync(FOLDER);
  const numbers = files.map((file) => Number(file.slice(0, 4)));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(files.map((_, index) => index + 1));
  for (const [index, file] of files.entries())
    expect(readFileSync(new URL(file, FOLDER), 'utf8'), file).toMatch(new RegExp(`^# ${numbers[index]}\\. `, 'u'));
});
