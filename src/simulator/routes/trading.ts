/** Serves the decision-market trading of a project (§4.11), summed over its proposals. */
import { ServiceRefusal } from '../error-response.js';
import { FULL_META, many, one, unix, type RouteRequest } from '../route.js';
import type { Trade } from '../world/market-trades.js';
import { sizesOf } from './proposals-analytics.js';
import { tradersOf, volumeOf } from './proposals-market.js';
import { tradeRow } from './wallet-activity.js';

function projectIn({ world, input }: RouteRequest) {
  const who = world.find(input['daoSlug'] ?? '');
  if (!who) throw new ServiceRefusal(404, `no project has the slug "${input['daoSlug'] ?? ''}"`);
  return who;
}

const trades = (ask: RouteRequest): readonly Trade[] =>
  ask.world.proposals
    .list(projectIn(ask), ask.at)
    .flatMap((proposal) => ask.world.proposals.trades(proposal, ask.at))
    .toSorted((a, b) => b.at - a.at);

export const tradingStatistics = one((ask) => {
  const proposals = ask.world.proposals.list(projectIn(ask), ask.at);
  const all = trades(ask);
  return {
    totalProposals: proposals.length,
    liveProposals: proposals.filter((found) => ask.world.proposals.phase(found, ask.at) === 'live').length,
    totalVolume: volumeOf(all),
    totalTrades: all.length,
    totalUniqueTraders: tradersOf(all).length,
    ...sizesOf(all),
    lastTradeTime: all[0] === undefined ? null : unix(all[0].at),
  };
});

export const tradingActivities = many({
  meta: FULL_META,
  items: trades,
  show: (trade, ask) => ({
    ...tradeRow(ask.world.proposals.order(trade)),
    wallet: trade.wallet,
    proposalPublicKey: trade.proposal.publicKey,
    proposalTitle: trade.proposal.title,
    organizationSlug: trade.proposal.slug,
  }),
});
