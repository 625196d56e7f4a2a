import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tranche } from '../../src/analytics/endpoints/holders.js';
import { instant } from '../../src/base/clock.js';
import { nextTranche, ladderOf, twapNow, waiting } from '../../src/analytics/tranche-ladder.js';
import { compare, isNegative } from '../../src/domain/decimal.js';
import { decimal } from '../../src/domain/scalars.js';

const price = fc.integer({ min: 1, max: 1e7 }).map((micros) => decimal(`${micros}e-6`));
const tranche = fc.record({
  order: fc.nat(9),
  tokens: fc.constant(undefined),
  multiplier: fc.constant(undefined),
  threshold: fc.option(price, { nil: undefined }),
  icoPrice: fc.constant(undefined),
  cliff: fc.constant(undefined),
  state: fc.constantFrom('locked', 'cliff-twap-pending', 'unlocked', 'UNLOCKED', 'napping', undefined),
});

test('every tranche is unlocked, waiting, or still to reach its price, and the next one is the first of those', () => {
  fc.assert(
    fc.property(fc.array(tranche, { maxLength: 8 }), fc.option(price, { nil: undefined }), (tranches: readonly Tranche[], twap) => {
      const rungs = ladderOf(tranches, twap);
      expect(rungs.map(({ order }) => order)).toEqual(tranches.map(({ order }) => order).toSorted((a, b) => a - b));
      expect(nextTranche(rungs)).toBe(rungs.find((one) => !one.unlocked && !waiting(rungs).includes(one)));
      for (const { threshold, reached, distance } of rungs) {
        expect([reached === undefined, distance === undefined]).toEqual(Array(2).fill(threshold === undefined || twap === undefined));
        expect(reached === true).toBe(threshold !== undefined && twap !== undefined && compare(twap, threshold) >= 0);
        expect(distance !== undefined && isNegative(distance) ? reached : true).toBe(true);
      }
    }),
  );
});

test('the time-weighted price is the latest that is known and not ahead, in whatever order the days come', () => {
  const day = (number: number, twap?: string) => ({
    at: instant(Date.UTC(2026, 10, number)),
    twap: twap === undefined ? undefined : decimal(twap),
    unlocked: undefined,
  });
  const days = [day(25, '9'), day(18, '2'), day(20), day(17, '1')];
  expect(twapNow(days, instant(Date.UTC(2026, 10, 20, 12)))).toEqual({ at: Date.UTC(2026, 10, 18), twap: '2' });
  expect(twapNow([day(25, '9')], instant(Date.UTC(2026, 10, 20)))).toBeUndefined();
});
