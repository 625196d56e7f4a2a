import { expect, test } from 'vitest';
import { instant } from '../../../src/base/clock.js';
import { NOON, everywhere, open } from './places.js';

test('one market at a time is live in a project', () => {
  everywhere(({ world, who, at }) => {
    const live = world.proposals.list(who, at).filter((one) => world.proposals.phase(one, at) === 'live');
    expect(live.length).toBeLessThanOrEqual(1);
  });
});

test('a proposal gathers stake, trades, opens its window and ends, in this order', () => {
  everywhere(({ world, who, at }) => {
    for (const one of world.proposals.list(who, at)) {
      const times = [one.createdAt, one.liveAt, one.twapAt, one.endsAt];
      expect(times.toSorted((a, b) => a - b)).toEqual(times);
      expect(new Set(times).size).toBe(4);
    }
  });
});

test('it ends on the side of its threshold that its result says; before the window there is no margin', () => {
  everywhere(({ world, who, at }) => {
    const signs = { passed: 1, failed: -1, removed: Number.NaN, draft: Number.NaN };
    for (const one of world.proposals.list(who, at)) {
      const { phase, margin, twapOpen } = world.proposals.market(one, at);
      expect(twapOpen).toBe(at >= one.twapAt && one.outcome !== 'removed');
      expect(margin !== undefined).toBe(twapOpen);
      const sign = margin === undefined ? Number.NaN : Math.sign(Number(margin));
      expect(sign).toBe(phase === 'live' ? sign : signs[phase]);
    }
  });
});

test('some thresholds are negative, and every end of the road is taken', () => {
  const { world } = open();
  const all = world.proposals.all(NOON);
  expect(all.some((one) => one.thresholdBps < 0)).toBe(true);
  expect(all.some((one) => one.thresholdBps > 0)).toBe(true);
  const seen = new Set(
    [0, 5, 10, 15, 20].flatMap((minutes) =>
      world.proposals.all(instant(NOON + minutes * 60_000)).map((one) => world.proposals.phase(one, instant(NOON + minutes * 60_000))),
    ),
  );
  expect([...seen].toSorted()).toEqual(['draft', 'failed', 'live', 'passed', 'removed']);
});

test('trading only ever adds up', () => {
  const { world } = open('harbor', 'spindrift');
  const one = world.proposals.all(NOON).find((found) => found.outcome === 'passed');
  if (!one) throw new Error('no proposal passed');
  const moments = Array.from({ length: 40 }, (_, step) => instant(one.liveAt + (step * (one.endsAt - one.liveAt)) / 39));
  const trades = moments.map((at) => world.proposals.market(one, at).trades);
  expect(trades.toSorted((a, b) => a - b)).toEqual(trades);
  expect(trades.at(-1)).toBeGreaterThan(0);
});
