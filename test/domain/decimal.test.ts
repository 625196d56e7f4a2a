import { Big } from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare, endsOf, isNegative, isZero, momentsOf, percentChange, roundTo, spreadOf, sum } from '../../src/domain/decimal.js';
import { decimal, decimalSchema } from '../../src/domain/scalars.js';
import { runs } from '../support/properties.js';

/** Numbers in every spelling that text can have, many of them zeros or with zeros around them. */
const digits = fc.string({ unit: fc.constantFrom('0', '0', '0', '1', '2', '5', '9'), minLength: 1, maxLength: 24 });
const spelled = fc
  .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.constantFrom('', '', 'e3', 'E-7'))
  .map(([sign, whole, part, exponent]) => `${sign}${whole}${part === null ? '' : `.${part}`}${exponent}`);

test('a number comes out as the same exact text however it was spelled', () => {
  fc.assert(
    fc.property(spelled, (text) => {
      expect(decimal(text)).toBe(new Big(text).toFixed());
    }),
    { numRuns: runs(2_000) },
  );
  for (const text of ['', '-', '.', '1.', '.5', '+1', ' 1', '1\n', '0x1', '1_0', '١', 'NaN', 'Infinity', '--1']) {
    const reference = () => decimalSchema.parse(new Big(text).toFixed());
    const outcome = (read: () => string) => {
      try {
        return read();
      } catch {
        return 'none';
      }
    };
    expect([text, outcome(() => decimal(text))]).toEqual([text, outcome(reference)]);
  }
});

test('sign, order, sum and change agree with exact arithmetic', () => {
  const plain = spelled.filter((text) => !/e/iu.test(text)).map((text) => decimalSchema.parse(text));
  const Exact = Big();
  Exact.DP = 40;
  fc.assert(
    fc.property(plain, plain, (a, b) => {
      expect([isZero(a), isNegative(a)]).toEqual([new Big(a).eq(0), new Big(a).lt(0)]);
      // A digit more at the end is lost in a float.
      for (const other of [b, a, decimal(new Big(a).plus('0.00000000000000000000001').toFixed())])
        expect(compare(a, other)).toBe(new Big(a).cmp(other));
      expect(sum([a, b])).toBe(new Big(a).plus(b).toFixed());
      const ratio = isZero(a) ? undefined : new Exact(new Exact(b).minus(a).toFixed()).div(new Exact(a).abs().toFixed());
      expect(percentChange(a, b)).toBe(ratio && new Exact(ratio.toFixed()).times(100).toFixed());
    }),
    { numRuns: runs(1_000) },
  );
});

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
  const of = (...values: readonly number[]) => spreadOf(momentsOf(values.map((value) => decimal(value))));
  expect(of(2, 4, 4, 4, 5, 5, 7, 9)).toMatchObject({ mean: '5', deviation: expect.stringMatching(/^2\.13808993529939/u) });
  expect(of(3, 3)).toEqual({ mean: '3', deviation: '0' });
  expect([of(), of(1)]).toEqual([undefined, undefined]);
});

test('the ends of a sample are its least and its greatest value, exactly', () => {
  const of = (...values: readonly string[]) => endsOf(values.map((value) => decimal(value)));
  expect(of('9', '-10.5', '10', '9007199254740993', '9007199254740992')).toEqual(['-10.5', '9007199254740993']);
  expect([of(), of('3')]).toEqual([[], ['3', '3']]);
});
