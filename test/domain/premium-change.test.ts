import fc from 'fast-check';
import { expect, test } from 'vitest';
import { absolute, compare, divide, roundTo, subtract, sum } from '../../src/domain/decimal.js';
import { premiumChange, type Backing } from '../../src/domain/premium-change.js';
import { gapOf } from '../../src/domain/premium.js';
import { decimal } from '../../src/domain/scalars.js';

const of = (price: string, navPerShare: string, nav?: string): Backing => ({
  price: decimal(price),
  navPerShare: decimal(navPerShare),
  nav: nav === undefined ? undefined : decimal(nav),
});
const words = (before: Backing, now: Backing) => premiumChange(before, now)?.map(({ of: name, points }) => `${name} ${points}`);

test('a price that fell while the treasury grew is alerted as both', () => {
  expect(words(of('0.8872', '0.976', '9760000'), of('0.828', '1', '10000000'))).toEqual(['price -6', 'treasury -2.1', 'supply 0']);
});

test('what did not change moved nothing, and what alone changed moved it all', () => {
  const before = of('0.5', '0.5', '1000000');
  expect(words(before, of('0.55', '0.5', '1000000'))).toEqual(['price 10', 'treasury 0', 'supply 0']);
  // Half of the treasury is gone, so each share stands for half.
  expect(words(before, of('0.5', '0.25', '500000'))).toEqual(['price 0', 'treasury 100', 'supply 0']);
  // As much again was minted, and nothing came in.
  expect(words(before, of('0.5', '0.25', '1000000'))).toEqual(['price 0', 'treasury 0', 'supply 100']);
  expect(words(before, before)).toEqual(['price 0', 'treasury 0', 'supply 0']);
});

test('without NAV on both sides treasury and supply are one part', () => {
  expect(words(of('0.5', '0.5'), of('0.5', '0.25', '500000'))).toEqual(['price 0', 'NAV/share 100']);
});

test('nothing is said where a price or NAV/share is not known or not above zero', () => {
  const whole = of('0.5', '0.5', '1000000');
  for (const part of [{}, { price: decimal('1') }, of('0', '1'), of('1', '0'), of('1', '-2')]) {
    expect(premiumChange(part, whole)).toBeUndefined();
    expect(premiumChange(whole, part)).toBeUndefined();
  }
  expect(words(whole, of('0.5', '0.5', '0'))).toEqual(['price 0', 'NAV/share 0']);
});

const amount = (most: number) => fc.integer({ min: 1, max: most }).map((cents) => decimal(cents).concat(''));
const backing = fc
  .record({ price: amount(10_000), supply: amount(1_000_000), nav: amount(1_000_000_000), knowsNav: fc.boolean() })
  .map(({ price, supply, nav, knowsNav }): Backing => ({
    price: divide(decimal(price), decimal('1000')),
    navPerShare: divide(decimal(nav), decimal(supply)),
    nav: knowsNav ? decimal(nav) : undefined,
  }));

test('the parts add up to the change as it is shown, to the tenth', () => {
  fc.assert(
    fc.property(backing, backing, (before, now) => {
      const parts = premiumChange(before, now) ?? [];
      const [was, is] = [gapOf(before).percent!, gapOf(now).percent!];
      expect(sum(parts.map(({ points }) => points))).toBe(subtract(roundTo(is, 1), roundTo(was, 1)));
      for (const { points } of parts) expect(points).toMatch(/^-?\d+(?:\.\d)?$/u);
    }),
  );
});

test('which of two moments comes first only turns the signs, but for what rounding leaves', () => {
  fc.assert(
    fc.property(backing, backing, (before, now) => {
      const [there, back] = [premiumChange(before, now) ?? [], premiumChange(now, before) ?? []];
      expect(there.map((part) => part.of)).toEqual(back.map((part) => part.of));
      for (const [index, part] of there.entries()) {
        const apart = absolute(sum([part.points, back[index]!.points]));
        expect(compare(apart, decimal('0.5'))).toBeLessThanOrEqual(0);
      }
    }),
  );
});
