import { Big } from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareText,
  exactly,
  human,
  hundredths,
  percentOf,
  percentOfRaw,
  product,
  ratio,
  rounded,
  roundedNumber,
  shareOf,
  sumOf,
  toRaw,
  valueOf,
} from '../../../src/simulator/world/amounts.js';

test.each([
  [0n, '0'],
  [1n, '0.000001'],
  [-1_500_000n, '-1.5'],
  [12_899_934_250_000n, '12899934.25'],
])('%i raw is %s', (raw, text) => {
  expect(human(raw)).toBe(text);
});

test('any raw amount is its millionth, and reads back as itself', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (raw) => {
      expect(Big(human(raw)).times(1_000_000).toFixed()).toBe(raw.toString());
      expect(toRaw(human(raw))).toBe(raw);
    }),
  );
});

/** Decimal texts, also such as no double holds, and places to round to. */
const texts = fc.oneof(
  fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }).map(human),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(human),
  fc.constantFrom('0', '0.5', '1.0000005', '0.123456789', '-2.5', '9007199254.740993'),
);
const places = fc.integer({ min: 0, max: 8 });
const isZero = (text: string): boolean => exactly(text).eq(0);

test('sums, products, quotients and shares of decimal texts are those of exact decimals', () => {
  fc.assert(
    fc.property(texts, texts, places, (a, b, to) => {
      expect(sumOf([a, b])).toBe(exactly(a).plus(b).toFixed());
      expect(product(a, b, to)).toBe(rounded(exactly(a).times(b), to));
      expect(Math.sign(compareText(a, b))).toBe(exactly(a).cmp(b));
      if (isZero(b)) return;
      expect(ratio(a, b, to)).toBe(rounded(exactly(a).div(b), to));
      expect(shareOf(a, b, to)).toBe(rounded(exactly(a).div(b).times(100), to));
      expect(percentOf(b, a, to)).toBe(rounded(exactly(a).minus(b).div(b).times(100), to));
    }),
  );
});

test('what raw amounts are worth, and how they changed, is that of exact decimals', () => {
  const raws = fc.bigInt({ min: 1n, max: 10n ** 24n });
  fc.assert(
    fc.property(raws, raws, texts, (before, now, price) => {
      expect(valueOf(now, price)).toBe(rounded(exactly(human(now)).times(price), 2));
      expect(percentOfRaw(before, now, 6)).toBe(rounded(exactly(now).minus(exactly(before)).div(exactly(before)).times(100), 6));
    }),
  );
});

test('a share of nothing, and a change from nothing, is 0', () => {
  expect([shareOf('5', '0', 2), percentOf('0', '5', 2), percentOfRaw(0n, 5n, 2)]).toEqual(['0', '0', '0']);
});

test('a double is rounded as its decimals are, also half way between two steps', () => {
  const doubles = fc.oneof(
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    fc.integer({ min: -1e6, max: 1e6 }).map((steps) => (steps + 0.5) / 1_000),
  );
  fc.assert(
    fc.property(doubles, places, (value, to) => {
      expect(roundedNumber(value, to)).toBe(rounded(exactly(value), to));
    }),
  );
});

test('where a double does not say which way it rounds, every digit is looked at', () => {
  expect(roundedNumber(0.125, 2, () => exactly('0.1249999999999999999'))).toBe('0.12');
  expect(roundedNumber(0.125, 2, () => exactly('0.125'))).toBe('0.13');
});

test.each([
  [0, '0'],
  [5, '0.05'],
  [-350, '-3.5'],
  [12_300, '123'],
])('%i hundredths are %s', (count, text) => {
  expect(hundredths(count)).toBe(text);
});
