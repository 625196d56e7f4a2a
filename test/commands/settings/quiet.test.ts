import { expect, test } from 'vitest';
import { readQuiet } from '../../../commands/settings/quiet.js';

test.each([
  ['22:00-07:00', '22:00', '07:00'],
  ['22-7', '22:00', '07:00'],
  ['22:30 – 6:45', '22:30', '06:45'],
  ['10pm to 7am', '22:00', '07:00'],
  ['from 22:00 until 07:00', '22:00', '07:00'],
  ['0:00-6:00', '00:00', '06:00'],
  ['18:00-24:00', '18:00', '00:00'],
])('"%s" is from %s to %s', (text, from, to) => {
  expect(readQuiet(text)).toEqual({ from, to });
});

test.each(['22:00', '22:00-25:00', '22:00-22:00', 'night', '-', '22:00-07:00-08:00', ''])('"%s" are no hours', (text) => {
  expect(readQuiet(text)).toBeUndefined();
});
