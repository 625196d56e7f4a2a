import { Big } from 'big.js';
import { expect, test } from 'vitest';
import { rawOf } from '../../../src/simulator/world/amounts.js';
import { everywhere, NOON, open } from './places.js';

test('five equal tranches make the package, and each is in one of its parts', () => {
  everywhere(({ world, who, at }) => {
    const { total, locked, claimable, claimed } = world.vesting.sums(who, at);
    const rungs = world.vesting.ladder(who, at);
    expect(total).toBe(rawOf(who.locked));
    expect(locked + claimable + claimed).toBe(total);
    expect(rungs.filter(({ state }) => state === 'unlocked').reduce((sum, { tokens }) => sum + tokens, 0n)).toBe(claimable);
    expect(new Set(rungs.map(({ tokens }) => tokens)).size).toBe(1);
    for (const rung of rungs) expect(rung.threshold).toBe(new Big(world.vesting.icoPriceOf(who)).times(rung.multiplier).round(6).toFixed());
  }, 12);
});

test('nothing unlocks before the cliff, and after it only what the time-weighted price has reached', () => {
  everywhere(({ world, who, at }) => {
    const cliff = world.vesting.cliffOf(who);
    const days = world.vesting.schedule(who, at);
    for (const rung of world.vesting.ladder(who, at)) {
      const state = at < cliff ? 'locked' : rung.unlockedAt === undefined ? 'cliff-twap-pending' : 'unlocked';
      expect([rung.state, at < cliff && rung.unlockedAt !== undefined]).toEqual([state, false]);
      if (rung.unlockedAt === undefined) continue;
      expect(rung.unlockedAt).toBeGreaterThanOrEqual(cliff);
      const twap = days.find(({ day }) => day === rung.unlockedAt)?.twap;
      expect(new Big(twap ?? 0).gte(rung.threshold)).toBe(true);
    }
  }, 12);
});

test('the schedule never falls, and its last day so far agrees with the ladder and the package', () => {
  everywhere(({ world, who, at }) => {
    const days = world.vesting.schedule(who, at);
    expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted((a, b) => a - b));
    const course = days.map(({ unlocked }) => unlocked);
    expect(course).toEqual(course.toSorted((a, b) => Number(a - b)));
    const today = days.findLast(({ twap }) => twap !== undefined);
    expect(today === undefined ? 0n : today.unlocked).toBe(world.vesting.sums(who, at).claimable);
  }, 12);
});

test('the cast shows every state', () => {
  const { world } = open();
  const states = world.projects.flatMap((who) => world.vesting.ladder(who, NOON).map(({ state }) => state));
  expect(new Set(states)).toEqual(new Set(['locked', 'cliff-twap-pending', 'unlocked']));
});
