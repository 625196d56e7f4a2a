import { expect, test } from 'vitest';
import { roundTo } from '../../src/domain/decimal.js';
import { decimal } from '../../src/domain/scalars.js';

test.each([
  ['1.25', 1, '1.3'],
  ['-1.25', 1, '-1.3'],
  ['1.24', 1, '1.2'],
  ['-0.04', 1, '0'],
  ['12', 1, '12'],
  ['9007199254740993.5', 0, '9007199254740994'],
] as const)('%s to %d decimals is %s', (value, places, rounded) => {
  expect(roundTo(decimal(value), places)).toBe(rounded);
});
