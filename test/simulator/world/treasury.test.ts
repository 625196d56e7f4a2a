import { Big } from 'big.js';
import { expect, test } from 'vitest';
import { HOUR, later } from '../../../src/base/clock.js';
import { human } from '../../../src/simulator/world/amounts.js';
import type { Nav } from '../../../src/simulator/world/treasury.js';
import { NOON, everywhere, open, type Place } from './places.js';

const plain = (value: Big): string => value.toFixed();
const total = (all: readonly string[]): string => plain(all.reduce((sum, one) => sum.plus(one), new Big(0)));

/** Checks wherever a NAV is published. */
const wherePublished = (check: (nav: Nav, place: Place) => void): void =>
  everywhere((place) => {
    const nav = place.world.treasury.nav({ who: place.who, when: place.at, asOf: place.at });
    if (nav) check(nav, place);
  });

test('NAV is what the wallets hold and what lies in liquidity, and never the own token', () => {
  wherePublished((nav) => {
    for (const one of nav.wallet) expect(plain(new Big(one.amount).times(one.usdPrice).round(2))).toBe(one.value);
    expect(total(nav.wallet.map((one) => one.value))).toBe(nav.treasuryValue);
    expect(total([nav.treasuryValue, nav.lpValue])).toBe(nav.netAssetValue);
  });
});

test('NAV/AS is NAV over the supply without what is excluded', () => {
  wherePublished((nav, { world, who, at }) => {
    expect(nav.totalSupply).toBe(human(world.supply.ledger(who, at).supply));
    expect(total([nav.adjustedSupply, ...nav.excluded.map((one) => one.amount)])).toBe(nav.totalSupply);
    expect(plain(new Big(nav.netAssetValue).div(nav.adjustedSupply).round(6))).toBe(nav.navPerShare);
  });
});

test('the premium is the gap between price and NAV/AS, and stays believable', () => {
  wherePublished((nav) => {
    expect(plain(new Big(nav.price).minus(nav.navPerShare).div(nav.navPerShare).times(100).round(4))).toBe(nav.premium);
    expect(Math.abs(Number(nav.premium))).toBeLessThan(150);
  });
});

test('the runway is how many months the allowance is paid for', () => {
  wherePublished((nav, { world, who, at }) => {
    expect(plain(new Big(nav.netAssetValue).div(world.allowance(who, at)).round(2))).toBe(nav.monthsOfRunway);
    expect(Number(nav.monthsWithoutLp)).toBeLessThan(Number(nav.monthsOfRunway));
  });
});

test("the year's lowest and highest premium enclose its mean and today's", () => {
  everywhere(({ world, who, at }) => {
    const year = world.treasury.premiums(who, at);
    const inside = year ? [year.mean, year.now.premium].map(Number) : [];
    expect(inside.filter((one) => one < Number(year?.low.premium) || one > Number(year?.high.premium))).toEqual([]);
  }, 15);
});

test('one project publishes no NAV, one was wound up, and one has a runway that nobody can mean', () => {
  const { world } = open();
  const runways = new Map(world.projects.map((who) => [who.slug, world.treasury.nav({ who, when: NOON, asOf: NOON })?.monthsOfRunway]));
  expect([...runways].flatMap(([slug, runway]) => (runway === undefined ? [slug] : []))).toEqual(['lark-hollow', 'cinder-quay']);
  expect(Number(runways.get('quarry-lane'))).toBeGreaterThan(5_000);
});

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

test('a project that is not fast keeps its allowance', () => {
  expect(new Set(overDays('tide', 30))).toEqual(new Set(['100000']));
});
