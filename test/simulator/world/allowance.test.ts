import { expect, test } from 'vitest';
import { HOUR, later } from '../../../src/base/clock.js';
import { NOON, open } from './places.js';

const overDays = (slug: string, days: number) => {
  const { world, who } = open('harbor', slug);
  return Array.from({ length: days * 12 }, (_, index) => world.allowance(who, later(NOON, index * 2 * HOUR)));
};

test('a fast project changes its allowance every day or so, around what it usually is', () => {
  const all = overDays('spindrift', 30);
  const changes = all.filter((one, index) => index > 0 && one !== all[index - 1]).length;
  expect(changes).toBeGreaterThan(5);
  expect(changes).toBeLessThan(60);
  expect([...new Set(all)].toSorted((a, b) => Number(a) - Number(b))).toEqual(['120000', '150000', '180000']);
});

test('a natural one keeps it', () => {
  expect(new Set(overDays('tide', 30))).toEqual(new Set(['100000']));
});
