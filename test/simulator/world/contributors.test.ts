import { expect, test } from 'vitest';
import { inRanges } from '../../../src/simulator/world/contributors.js';
import { everywhere, open } from './places.js';

test('what contributors gave is what the raise committed, and it was not taken beyond that', () => {
  everywhere(({ world, who }) => {
    const raise = world.contributors.raise(who);
    expect(raise.given.reduce((sum, one) => sum + one, 0n)).toBe(raise.launch.committed);
    expect(raise.given.length).toBe(raise.contributors);
    expect(raise.launch.accepted <= raise.launch.committed && raise.launch.committed >= raise.launch.minimum).toBe(true);
    expect(raise.transactions).toBeGreaterThanOrEqual(raise.contributors);
    expect(raise.given.every((one) => one > 0n)).toBe(true);
  }, 12);
});

test('every contributor lies in one range', () => {
  everywhere(({ world, who }) => {
    const raise = world.contributors.raise(who);
    expect(inRanges(raise.given).reduce((sum, [, count]) => sum + count, 0)).toBe(raise.contributors);
  }, 6);
});

test('an investor gave in all what it gave to each raise it joined', () => {
  const { world, who } = open();
  for (const place of [0, 1, 57, 400]) {
    const one = world.contributors.contributor(who, place);
    const gave = one.joined.map((other) => {
      const { given } = world.contributors.raise(other);
      const there = given.findIndex((_, at) => world.contributors.contributor(other, at).address === one.address);
      return given[there] ?? -1n;
    });
    expect(gave.reduce((sum, amount) => sum + amount, 0n)).toBe(one.everywhere);
    expect(one.joined).toContain(who);
    expect(one.everywhere >= one.here).toBe(true);
  }
});

test('some gave to several raises, so that their totals are more than this one', () => {
  const { world, who } = open();
  const first = Array.from({ length: 50 }, (_, place) => world.contributors.contributor(who, place));
  expect(first.some(({ joined }) => joined.length > 1)).toBe(true);
  expect(new Set(first.map(({ address }) => address)).size).toBe(50);
  expect(world.contributors.others(who)).not.toContain(who);
});
