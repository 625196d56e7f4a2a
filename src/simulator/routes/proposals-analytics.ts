/** Serves the traders of a proposal's outcomes, and comparisons (§4.11), computed from its trades. */
import { HOUR } from '../../base/clock.js';
import { ServiceRefusal } from '../error-response.js';
import { many, one, projectOf, unix, type RouteRequest } from '../route.js';
import { exactly, jsonNumber, ratio, shareOf } from '../world/amounts.js';
import { backsPass, type Trade } from '../world/market-trades.js';
import type { Proposal } from '../world/injected-facts.js';
import { proposalRow } from './proposals.js';
import { netOf, proposalOf, stretches, tradesOn, volumeOf } from './proposals-market.js';

function byTrader(trades: readonly Trade[]): readonly (readonly Trade[])[] {
  const groups = new Map<string, Trade[]>();
  for (const trade of trades) groups.set(trade.wallet, [...(groups.get(trade.wallet) ?? []), trade]);
  return [...groups.values()];
}

const share = (part: string, all: string): string => shareOf(part, all, 2);

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

export const sizesOf = (trades: readonly Trade[]) => {
  const sizes = trades.map(({ usd }) => Number(usd));
  return {
    averageTradeSize: sizes.length === 0 ? null : jsonNumber(ratio(volumeOf(trades), String(sizes.length), 2)),
    medianTradeSize: sizes.length === 0 ? null : Number((median(sizes) ?? 0).toFixed(2)),
    largestTradeSize: sizes.length === 0 ? null : Math.max(...sizes),
  };
};

export const proposalTradeOverview = one((ask) => {
  const trades = tradesOn(ask);
  const groups = byTrader(trades);
  const once = groups.filter((group) => group.length === 1).length;
  const largest = groups.map(volumeOf).toSorted((a, b) => Number(b) - Number(a))[0] ?? '0';
  return {
    totalUniqueTraders: groups.length,
    totalTrades: trades.length,
    singleTradeTraders: once,
    repeatTraders: groups.length - once,
    ...sizesOf(trades),
    topTraderVolumeShare: share(largest, volumeOf(trades)),
  };
});

/** A trader counts for the side with more of their money; a tie counts as fail. */
export const proposalStrength = one((ask) => {
  const trades = tradesOn(ask);
  const groups = byTrader(trades);
  const forPass = groups.filter((group) => exactly(netOf(group)).gt(0)).length;
  const pass = volumeOf(trades.filter(backsPass));
  return {
    passTraders: forPass,
    failTraders: groups.length - forPass,
    passAlignedVolume: jsonNumber(pass),
    failAlignedVolume: jsonNumber(volumeOf(trades.filter((trade) => !backsPass(trade)))),
    passVolumeShare: share(pass, volumeOf(trades)),
  };
});

export const proposalConviction = many({
  items(ask) {
    let soFar = exactly(0);
    return stretches(ask, HOUR).map(({ at, trades }) => {
      const net = netOf(trades);
      soFar = soFar.plus(net);
      return { at, net, sum: soFar.toFixed() };
    });
  },
  show: ({ at, net, sum }) => ({ timestamp: unix(at), netPassFlow: jsonNumber(net), cumulativeNetPassFlow: jsonNumber(sum) }),
});

const RANGES: readonly (readonly [name: string, from: number, to: number])[] = [
  ['1', 1, 1],
  ['2-3', 2, 3],
  ['4-5', 4, 5],
  ['6-10', 6, 10],
  ['11-20', 11, 20],
  ['21+', 21, Number.POSITIVE_INFINITY],
];

export const proposalFrequency = many({
  items(ask) {
    const groups = byTrader(tradesOn(ask));
    return RANGES.map(([range, from, to]) => ({ range, traders: groups.filter(({ length }) => length >= from && length <= to).length }));
  },
  show: (bar) => bar,
});

const comparablesOf = (ask: RouteRequest): readonly Proposal[] =>
  ask.world.proposals.list(projectOf(ask), ask.at).filter((one) => ['passed', 'failed'].includes(ask.world.proposals.phase(one, ask.at)));

export const proposalComparables = many({ items: comparablesOf, show: proposalRow });

const METRICS: Readonly<Record<string, (one: Proposal, ask: RouteRequest) => number>> = {
  volume: (one, { world, at }) => Number(world.proposals.market(one, at).volume),
  trades: (one, { world, at }) => world.proposals.market(one, at).trades,
  traders: (one, { world, at }) => world.proposals.market(one, at).traders,
  passEdge: (one, { world, at }) => Number(world.proposals.market(one, at).edge ?? 0),
};

export const proposalAgainst = one((ask) => {
  const found = proposalOf(ask);
  if (projectOf(ask).slug !== found.slug) throw new ServiceRefusal(404, 'that proposal is not one of this project');
  const others = comparablesOf(ask).filter(({ publicKey }) => publicKey !== found.publicKey);
  return {
    metrics: Object.entries(METRICS).map(([metric, of]) => ({
      metric,
      value: of(found, ask),
      median: median(others.map((other) => of(other, ask))) ?? null,
    })),
    comparables: others.length,
  };
});
