import { Big } from 'big.js';
import { expect, test } from 'vitest';
import { DAY, HOUR, instant } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import type { Fact } from '../../../src/simulator/world/injected-facts.js';
import { createWorld } from '../../../src/simulator/world/world.js';
import { NOON, openBox } from '../box.js';

const PATH = '/v1/global-dashboard/overview';
const total = (all: readonly (string | null)[]): string => all.reduce((sum, one) => sum.plus(one ?? 0), new Big(0)).toFixed();

test('the combined market cap of now is the sum of what the pages of the projects say', async () => {
  const box = await openBox();
  const chart = (await box.get(`${PATH}/ownership-coins/market-cap-chart`)).body.data;
  const caps: string[] = [];
  for (const { slug } of box.world.projects)
    caps.push((await box.get(`/v1/project-overview/market-metrics?slug=${slug}`)).body.data.marketCap);
  expect(caps.length).toBeGreaterThan(5);
  expect(chart.at(-1)).toEqual({ timestamp: NOON / 1_000, marketCap: total(caps) });
});

test('the combined treasury is, hour by hour, the sum of the projects treasury charts', async () => {
  const box = await openBox();
  const chart: { timestamp: number; totalValue: string }[] = (await box.get(`${PATH}/ownership-coins/treasury-value-chart`)).body.data;
  const sums = new Map<number, Big>();
  for (const { slug } of box.world.projects)
    for (const { timestamp, totalValue } of (await box.get(`/v1/dao/treasury/chart?slug=${slug}`)).body.data)
      sums.set(timestamp, (sums.get(timestamp) ?? new Big(0)).plus(totalValue));
  expect(chart.length).toBe(30 * 24 + 1);
  expect(chart.map(({ timestamp, totalValue }) => [timestamp, totalValue])).toEqual([...sums].map(([at, sum]) => [at, sum.toFixed()]));
});

test('supply over many moments is what it is at each of them, also after something was injected late', () => {
  const at = instant(NOON + 17 * 60_000);
  const facts = ['tide', 'spindrift'].map((name): Fact => {
    return { kind: 'supply', type: 'Mint', slug: slug(name), id: 7, amount: '5000000', at: instant(NOON - 3 * HOUR), appearsAt: at };
  });
  const world = createWorld({ seed: 'harbor', pace: 1, facts: () => facts });
  const moments = Array.from({ length: 400 }, (_, index) => instant(at - (399 - index) * 0.3 * DAY));
  for (const who of world.projects)
    for (const asOf of [NOON, at])
      expect(world.supply.course({ who, moments, asOf })).toEqual(moments.map((when) => world.supply.supplyAt({ who, when, asOf })));
});

test('the totals of all decision markets are the sums of the trading statistics of the projects', async () => {
  const box = await openBox();
  const totals = (await box.get(`${PATH}/decision-markets`)).body.data;
  const each = [];
  for (const { slug } of box.world.projects) each.push((await box.get(`/v1/trading-activity/${slug}`)).body.data);
  const rows = (await box.get('/v1/global-dashboard/projects?limit=100')).body.data;
  expect(totals).toMatchObject({
    totalProposals: each.reduce((sum, { totalProposals }) => sum + totalProposals, 0),
    liveProposals: each.reduce((sum, { liveProposals }) => sum + liveProposals, 0),
    totalTrades: each.reduce((sum, { totalTrades }) => sum + totalTrades, 0),
    totalVolume: total(each.map(({ totalVolume }) => totalVolume)),
  });
  expect(rows.map((row: Record<string, unknown>) => [row['proposalCount'], row['activeProposals'], row['totalTrades']])).toEqual(
    each.map(({ totalProposals, liveProposals, totalTrades }) => [totalProposals, liveProposals, totalTrades]),
  );
  const live = (await box.get('/v1/global-dashboard/projects/decision-markets?limit=100')).body.data;
  expect(live.filter(({ status }: { status: string }) => status === 'live').length).toBe(totals.liveProposals);
  expect(totals.totalUniqueTraders).toBeLessThanOrEqual(each.reduce((sum, { totalUniqueTraders }) => sum + totalUniqueTraders, 0));
});

test('who trades on a proposal is the same with its trades and without them', () => {
  const world = createWorld({ seed: 'harbor', pace: 1 });
  for (const proposal of world.proposals.all(NOON).slice(0, 60))
    expect(new Set(world.proposals.traders(proposal, NOON))).toEqual(
      new Set(world.proposals.trades(proposal, NOON).map(({ wallet }) => wallet)),
    );
});
