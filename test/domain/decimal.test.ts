import { expect, test } from 'vitest';
import { endsOf, roundTo, spreadOf } from '../../src/domain/decimal.js';
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

test('a sample is spread around its mean by what its values lie apart', () => {
  const of = (...values: readonly number[]) => spreadOf(values.map((value) => decimal(value)));
  expect(of(2, 4, 4, 4, 5, 5, 7, 9)).toMatchObject({ mean: '5', deviation: expect.stringMatching(/^2\.13808993529939/u) });
  expect(of(3, 3)).toEqual({ mean: '3', deviation: '0' });
  expect([of(), of(1)]).toEqual([undefined, undefined]);
});

test('the ends of a sample are its least and its greatest value, exactly', () => {
  const of = (...values: readonly string[]) => endsOf(values.map((value) => decimal(value)));
  expect(of('9', '-10.5', '10', '9007199254740993', '9007199254740992')).toEqual(['-10.5', '9007199254740993']);
  expect([of(), of('3')]).toEqual([[], ['3', '3']]);
});
