import fc from 'fast-check';
import { expect, test } from 'vitest';
import { absolute, compare, divide, roundTo, subtract, sum } from '../../src/domain/decimal.js';
import { DAY, instant, later } from '../../src/base/clock.js';
import { points } from '../../src/domain/format.js';
import { gapOf, premiumChange, premiumChangeWords, type Backing } from '../../src/domain/premium.js';
import { decimal } from '../../src/domain/scalars.js';

const of = (price: string, navPerShare: string, nav?: string): Backing => ({
  price: decimal(price),
  navPerShare: decimal(navPerShare),
  nav: nav === undefined ? undefined : decimal(nav),
});
const words = (before: Backing, now: Backing) => premiumChange(before, now)?.parts.map(({ of: name, points }) => `${name} ${points}`);

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

test('each part is rounded by itself, and parts that do not add up to the shown change are known not to', () => {
  // Exactly 37.52, -6.48 and -0.08: 30.96 in all.
  const [before, now] = [of('0.602', '0.515', '1000000'), of('0.8', '0.541075', '1050000')];
  expect(words(before, now)).toEqual(['price 37.5', 'treasury -6.5', 'supply -0.1']);
  expect(premiumChange(before, now)).toMatchObject({ total: '31', addsUp: false });
  expect(premiumChange(of('0.8872', '0.976', '9760000'), of('0.828', '1', '10000000'))).toMatchObject({ total: '-8.1', addsUp: true });
});

test('an alert whose parts do not add up gives the total that a digest gives', () => {
  const measured = (backing: Backing) => ({ ...backing, gap: gapOf(backing).percent! });
  const [before, now] = [measured(of('0.602', '0.515', '1000000')), measured(of('0.8', '0.541075', '1050000'))];
  const at = instant(Date.UTC(2026, 10, 20, 12));
  const said = premiumChangeWords({ ...now, before: { ...before, at: later(at, -DAY) } }, { at, words: undefined, since: undefined });
  expect(said.join(' ')).toContain(points(subtract(now.gap, before.gap)));
});

test('no part is further from its exact share than its rounding, and the flag says when the sum is not the shown one', () => {
  fc.assert(
    fc.property(backing, backing, (before, now) => {
      const change = premiumChange(before, now);
      if (change === undefined) return;
      const [was, is] = [gapOf(before).percent!, gapOf(now).percent!];
      const added = sum(change.parts.map(({ points }) => points));
      expect(change.total).toBe(roundTo(subtract(is, was), 1));
      expect(change.addsUp).toBe(added === change.total && added === subtract(roundTo(is, 1), roundTo(was, 1)));
      // Exact parts add up, and each of three is at most 0.05 from what is shown.
      expect(compare(absolute(subtract(added, subtract(is, was))), decimal('0.151'))).toBeLessThan(0);
      for (const { points } of change.parts) expect(points).toMatch(/^-?\d+(?:\.\d)?$/u);
    }),
  );
});

test('which of two moments comes first only turns the signs', () => {
  fc.assert(
    fc.property(backing, backing, (before, now) => {
      const [there, back] = [premiumChange(before, now)?.parts ?? [], premiumChange(now, before)?.parts ?? []];
      expect(there.map((part) => part.of)).toEqual(back.map((part) => part.of));
      for (const [index, part] of there.entries())
        expect(compare(absolute(sum([part.points, back[index]!.points])), decimal('0.1'))).toBeLessThanOrEqual(0);
    }),
  );
});
