import { expect, test } from 'vitest';
import { DAY, HOUR, SECOND, instant, later } from '../../../src/base/clock.js';
import { daySchema, slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { dice, byNature, layered } from '../../../src/simulator/world/seeded-random.js';
import type { Fact } from '../../../src/simulator/world/injected-facts.js';
import { createWorld, type World } from '../../../src/simulator/world/world.js';
import { NOON } from './places.js';

/** After everything that is injected. */
const AT = later(NOON, DAY);

/** What a world says of one project, by every way that remembers what nature does. */
function said(world: World, project: string) {
  const who = world.find(project)!;
  const proposals = world.proposals.list(who, AT);
  const wallet = world.wallets.some(1);
  return {
    price: world.price(who, AT),
    nav: world.treasury.history({ who, at: AT, from: instant(AT - 2 * DAY), step: HOUR }),
    supply: world.supply.ledger(who, AT),
    daily: world.supply.daily(who, AT),
    ladder: world.vesting.ladder(who, AT),
    schedule: world.vesting.schedule(who, AT),
    movements: world.movements.list(who, AT),
    proposals,
    markets: proposals.map((one) => world.proposals.market(one, AT)),
    quotes: proposals.slice(0, 5).map((one) => world.proposals.quotes(one, AT)),
    orders: proposals.slice(0, 5).flatMap((one) => world.proposals.trades(one, AT).map((trade) => world.proposals.order(trade))),
    wallet: world.wallets.trades(wallet, AT),
    growth: world.growth.observations({ who, metricId: 'fees-usd', from: instant(NOON - (NOON % DAY) - 9 * DAY), to: NOON, at: AT }),
    launches: world.launches.all(AT),
    caps: world.combined.marketCaps(AT, instant(AT - DAY)),
    values: world.combined.treasuryValues(AT, instant(AT - DAY)),
    holders: world.holders(who, AT).all.map(({ owner, balance }) => [owner(), balance]),
  };
}

/** Something of every kind that changes what `said` says of a project. */
function injectedInto(world: World, project: string): readonly Fact[] {
  const about = { slug: slug(project), at: NOON };
  const wallet = walletAddress(world.wallets.some(1));
  const traded = world.proposals.list(world.find(project)!, NOON).find((one) => one.outcome !== 'removed' && one.endsAt <= NOON)!;
  const times = { createdAt: NOON, liveAt: later(NOON, HOUR), twapAt: later(NOON, 2 * HOUR), endsAt: later(NOON, 5 * HOUR) };
  return [
    { kind: 'price', ...about, factor: '900' },
    { kind: 'nav', ...about, factor: '0.25' },
    { kind: 'allowance', ...about, usd: '123456.5' },
    { kind: 'supply', ...about, id: 7, type: 'Mint', amount: '5000000000', appearsAt: NOON },
    { kind: 'movement', ...about, id: 9, direction: 'outflow', amount: '777', note: '', appearsAt: NOON },
    { kind: 'transfer', ...about, wallet, amount: '90000000' },
    { kind: 'trade', wallet, proposal: traded.publicKey, market: 'pass', direction: 'buy', usd: '250', at: NOON },
    { kind: 'growth', slug: about.slug, metricId: 'fees-usd', date: daySchema.parse('2026-11-19'), value: '4321', appearsAt: AT },
    {
      kind: 'proposal',
      slug: about.slug,
      id: 11,
      publicKey: 'an injected one',
      title: 'One',
      ...times,
      thresholdBps: 150,
      outcome: 'passed',
    },
  ];
}

test.each(['tide', 'spindrift'])('what was injected into one world of a seed changes nothing in another: %s', (project) => {
  const seed = 'harbor';
  const alone = said(createWorld({ seed, pace: 1 }), project);
  const facts = injectedInto(createWorld({ seed, pace: 1 }), project);
  const pushed = said(createWorld({ seed, pace: 1, facts: () => facts }), project);
  const changed = Object.keys(alone).filter((name) => JSON.stringify(plain(alone, name)) !== JSON.stringify(plain(pushed, name)));
  expect(Object.keys(alone).filter((name) => !changed.includes(name))).toEqual(['launches']);
  expect(said(createWorld({ seed, pace: 1 }), project)).toEqual(alone);
  expect(said(createWorld({ seed, pace: 1, facts: () => facts }), project)).toEqual(pushed);
});

const plain = (all: Readonly<Record<string, unknown>>, name: string): unknown =>
  JSON.parse(JSON.stringify(all[name], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));

test('two worlds of a seed may have different proposals injected under one key', () => {
  const of = (outcome: 'passed' | 'failed', seconds: number) => {
    const times = { createdAt: NOON, liveAt: NOON, twapAt: NOON, endsAt: later(NOON, seconds * SECOND) };
    const fact: Fact = {
      kind: 'proposal',
      slug: slug('tide'),
      id: 1,
      publicKey: 'the key',
      title: 'T',
      ...times,
      thresholdBps: 0,
      outcome,
    };
    const world = createWorld({ seed: 'one key', pace: 1, facts: () => [fact] });
    const one = world.proposals.byKey('the key', AT)!;
    return {
      market: world.proposals.market(one, AT),
      last: world.proposals.trades(one, AT).map((trade) => world.proposals.order(trade))[0],
    };
  };
  const [first, second] = [of('passed', 3_600), of('failed', 7_200)];
  expect([first.market.phase, second.market.phase]).toEqual(['passed', 'failed']);
  expect(second.last!.at).toBeGreaterThan(first.last!.at);
  expect(of('passed', 3_600)).toEqual(first);
});

test('a result is shared by the worlds of one name only, and what is not by nature stays with its world', () => {
  const shared = byNature<number>(5);
  const both = layered<number>(5);
  const [one, same, other] = [{ name: 'a' }, { name: 'a' }, { name: 'b' }];
  expect([one, same, other].map((world, place) => shared(world)('key', () => place))).toEqual([0, 0, 2]);
  expect([one, same].map((world, place) => both(world)(true)('key', () => place))).toEqual([0, 0]);
  expect([one, same].map((world, place) => both(world)(false)('key', () => place))).toEqual([0, 1]);
});

test('numbers under a first part are those of the whole name', () => {
  const roll = dice('seed');
  expect(roll.under('first')('then', 7)).toBe(roll('first', 'then', 7));
  expect(roll.under('first')('then', 7)).not.toBe(roll.under('other')('then', 7));
});
