import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY, HOUR, instant } from '../../src/base/clock.js';
import { gapOf, gapRange, premiumRank } from '../../src/domain/premium.js';
import { decimal } from '../../src/domain/scalars.js';

const start = Date.UTC(2026, 10, 1);
const at = (hours: number) => instant(start + hours * HOUR);
const point = (hours: number, price: string, nav = '1') => ({ at: at(hours), price: decimal(price), navPerShare: decimal(nav) });

test('a gap is computed from price and NAV/share, and what is reported stands beside it only where the two disagree', () => {
  const known = { price: decimal('0.628927'), navPerShare: decimal('0.697689') };
  expect(Number(gapOf(known).percent)).toBeCloseTo(-9.856, 3);
  expect(gapOf({ ...known, premium: decimal('-9.856') })).not.toHaveProperty('reported');
  expect(gapOf({ ...known, premium: decimal('-9.94') })).not.toHaveProperty('reported');
  expect(gapOf({ ...known, premium: decimal('9.856') }).reported).toBe('9.856');
});

test('without NAV/share, or with one of zero, only what is reported is known', () => {
  expect(gapOf({ price: decimal('1'), premium: decimal('-3') })).toEqual({ percent: '-3' });
  expect(gapOf({ price: decimal('1'), navPerShare: decimal('0') }).percent).toBeUndefined();
  expect(gapOf({}).percent).toBeUndefined();
});

test('a range knows when its extremes were, whatever the order of its points', () => {
  const range = gapRange([point(30, '1.2'), point(0, '0.9'), { at: at(2) }, point(26, '0.7'), { price: decimal('5') }], 'day');
  expect(range).toMatchObject({ low: { at: at(26), gap: '-30' }, high: { at: at(30), gap: '20' } });
  expect(Number(range?.mean)).toBeCloseTo(-20 / 3);
  expect(range?.ends.map(({ at: end }) => end)).toEqual([at(0), at(30)]);
  expect(gapRange([point(0, '1'), point(0.5, '2'), point(1, '3')], 'hour')?.ends).toHaveLength(2);
  expect(gapRange([{ at: at(1) }], 'day')).toBeUndefined();
});

test('a premium is ranked against the days it is higher or lower than', () => {
  const days = ['0.95', '0.9', '1.1', '0.5'].map((price, index) => point(index * 24, price));
  const ends = gapRange(days, 'day')?.ends ?? [];
  expect(premiumRank(decimal('-20'), ends)).toEqual({ than: 'lower', share: '75' });
  expect(premiumRank(decimal('-2'), ends)).toEqual({ than: 'higher', share: '75' });
  expect(premiumRank(decimal('20'), ends)).toEqual({ than: 'higher', share: '100' });
  expect(premiumRank(decimal('0'), ends)).toEqual({ than: 'higher', share: '75' });
  expect(premiumRank(decimal('1'), [])).toBeUndefined();
});

test('the mean of a range lies between its extremes, and there are no more ends than days', () => {
  const prices = fc.array(fc.tuple(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 1, max: 10_000 })), { minLength: 1 });
  fc.assert(
    fc.property(prices, (all) => {
      const range = gapRange(
        all.map(([hours, price]) => point(hours, String(price), '100')),
        'day',
      );
      expect(Number(range?.mean)).toBeGreaterThanOrEqual(Number(range?.low.gap) - 1e-9);
      expect(Number(range?.mean)).toBeLessThanOrEqual(Number(range?.high.gap) + 1e-9);
      expect(range?.ends.length).toBe(new Set(all.map(([hours]) => Math.floor((start + hours * HOUR) / DAY))).size);
    }),
  );
});
