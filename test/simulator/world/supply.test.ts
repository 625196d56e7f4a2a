import { Big } from 'big.js';
import { expect, test } from 'vitest';
import { HOUR, instant, later, SECOND } from '../../../src/base/clock.js';
import { human } from '../../../src/simulator/world/amounts.js';
import { changeOf, notCirculating } from '../../../src/simulator/world/supply.js';
import { createWorld } from '../../../src/simulator/world/world.js';
import { everywhere } from './places.js';

test('the supply is what was minted less what was burned, and what the newest row of the ledger says', () => {
  everywhere(({ world, who, at }) => {
    const ledger = world.supply.ledger(who, at);
    expect(ledger.supply).toBe(ledger.minted - ledger.burned);
    expect(ledger.entries.at(-1)?.supplyAfter).toBe(ledger.supply);
    expect(world.supply.supplyAt({ who, when: at, asOf: at })).toBe(ledger.supply);
    expect(ledger.supply > notCirculating(who)).toBe(true);
  });
});

test('the ledger moves from row to row by just the amount', () => {
  everywhere(({ world, who, at }) => {
    const { entries, netChange } = world.supply.ledger(who, at);
    let supply = entries[0]?.supplyBefore ?? 0n;
    const opening = supply;
    for (const entry of entries) {
      expect(entry.amount > 0n).toBe(true);
      expect(entry.supplyBefore).toBe(supply);
      supply += entry.type === 'Mint' ? entry.amount : -entry.amount;
      expect(entry.supplyAfter).toBe(supply);
    }
    expect(netChange).toBe(supply - opening);
  });
});

test("a row's change is its share of the supply before it, in percent", () => {
  everywhere(({ world, who, at }) => {
    const rows = world.supply.ledger(who, at).entries.filter((entry) => entry.supplyBefore > 0n);
    const wrong = rows.filter((entry) => {
      const [before, after] = [new Big(entry.supplyBefore.toString()), new Big(entry.supplyAfter.toString())];
      return after.minus(before).div(before).times(100).minus(changeOf(entry)).abs().gt('0.0000005');
    });
    expect(wrong).toEqual([]);
  });
});

test('every row has a number of its own, and a client can read the ledger in a few pages', () => {
  everywhere(({ world, who, at }) => {
    const { entries } = world.supply.ledger(who, at);
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
    expect(entries.length).toBeLessThanOrEqual(540);
    expect(entries.length).toBeGreaterThan(5);
  });
});

test('the chart ends where the ledger stands, less what does not circulate', () => {
  everywhere(({ world, who, at }) => {
    const chart = world.supply.daily(who, at);
    expect(chart.at(-1)?.circulating).toBe(world.supply.ledger(who, at).supply - notCirculating(who));
    expect(chart.length).toBeGreaterThan(30);
  }, 25);
});

test('each day of the chart within the ledger is what the ledger said at that midnight', () => {
  everywhere(({ world, who, at }) => {
    const { entries } = world.supply.ledger(who, at);
    const alerted = world.supply.daily(who, at).slice(0, -1);
    const wrong = alerted.filter((point) => {
      const known = entries.findLast((entry) => entry.at <= point.at);
      return known !== undefined && point.circulating !== known.supplyAfter - notCirculating(who);
    });
    expect(wrong).toEqual([]);
  }, 25);
});

test('what a row said stays said: an hour later it is the same row', () => {
  everywhere(({ world, who, at }) => {
    const same = new Map(world.supply.ledger(who, later(at, HOUR / world.scene.pace)).entries.map((entry) => [entry.id, entry]));
    for (const row of world.supply.ledger(who, at).entries.slice(-50))
      expect(same.get(row.id)).toMatchObject({ at: row.at, type: row.type, amount: row.amount });
  }, 25);
});

test('whenever somebody begins to watch, one of the fast projects changes its supply by what Important alerts within 38 seconds', () => {
  for (const seed of Array.from({ length: 20 }, (_, index) => `world-${index}`)) {
    const world = createWorld({ seed, pace: 1 });
    const fast = world.projects.filter(({ tempo }) => tempo === 'fast');
    const to = instant(Date.UTC(2026, 10, 20, 12) + Number(seed.slice(6)) * 7 * HOUR);
    const large = fast.flatMap((who) =>
      world.supply
        .ledger(who, to)
        .entries.filter(({ at, amount }) => at >= to - 6 * HOUR && Number(human(amount)) * Number(world.price(who, at)) >= 10_000),
    );
    expect(large.filter(({ at, appearsAt }) => at !== appearsAt)).toEqual([]);
    const moments = large.map(({ at }) => at).toSorted((a, b) => a - b);
    const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? at));
    expect(Math.max(...gaps), seed).toBeLessThanOrEqual(38 * SECOND);
    expect(gaps.length).toBeGreaterThan(550);
  }
});
