import { Big } from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { human, toRaw } from '../../../src/simulator/world/amounts.js';

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
