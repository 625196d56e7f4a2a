import { Big } from 'big.js';
import { expect, test } from 'vitest';
import { DAY, later } from '../../../src/base/clock.js';
import { everywhere, NOON, open } from './places.js';

const total = (all: readonly string[]): string => all.reduce((sum, one) => sum.plus(one), new Big(0)).toFixed();
const SIDES = ['revenue', 'expense'] as const;

test('a month is the sum of its sources, and the total is the sum of the months', () => {
  everywhere(({ world, who, at }) => {
    for (const side of SIDES) {
      const months = world.finances.months(who, side, at);
      for (const { amount, items } of months) expect(total(items.map((one) => one.amount))).toBe(amount);
      const sum = world.finances.sum(who, side, at);
      expect(sum).toBe(months.length === 0 ? undefined : total(months.map(({ amount }) => amount)));
    }
  }, 12);
});

test('months that are over stay as they are; the running one only grows', () => {
  everywhere(({ world, who, at }) => {
    for (const side of SIDES) {
      const [now, then] = [world.finances.months(who, side, at), world.finances.months(who, side, later(at, DAY))];
      expect(then.slice(0, Math.max(0, now.length - 1))).toEqual(now.slice(0, -1));
      const last = now.at(-1);
      const after = then.find(({ from }) => from === last?.from);
      expect(last === undefined || after === undefined || new Big(after.amount).gte(last.amount)).toBe(true);
    }
  }, 10);
});

test('one project publishes neither, and what was wound up stops', () => {
  const { world } = open();
  const months = (slug: string) => world.finances.months(world.find(slug) ?? open().who, 'expense', NOON);
  expect(months('lark-hollow')).toEqual([]);
  expect(new Date(months('cinder-quay').at(-1)?.from ?? 0).toISOString().slice(0, 7)).toBe('2026-08');
});
