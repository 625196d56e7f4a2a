/** Serves the lists of all projects (§4.12, which specifies no fields). NAV is per token, and one row is stale (zeros). */
import { DAY, instant } from '../../base/clock.js';
import { jsonNumber, ratio, sumOf } from '../world/amounts.js';
import type { Character } from '../world/invented-projects.js';
import type { Proposal } from '../world/injected-facts.js';
import { ServiceRefusal } from '../error-response.js';
import { FULL_META, iso, many, one, unix, type RouteRequest } from '../route.js';
import { marketOf } from './project.js';
import { NEW_WORDS, stakes } from './proposals.js';

function projectRow(who: Character, ask: RouteRequest) {
  const market = marketOf(ask, who);
  const stale = who.quirk === 'zero-in-lists';
  const shown = (value: string | undefined): string | null => (stale ? '0' : (value ?? null));
  const multiple = market.nav && ratio(market.price, market.nav.navPerShare, 4);
  return {
    organizationName: who.name,
    organizationSlug: who.slug,
    organizationImageUrl: null,
    tokenSymbol: who.symbol,
    baseMint: ask.world.mint(who.slug),
    tokenUsdPrice: market.price,
    tokenPriceChangePercentage1h: market.change1h,
    tokenPriceChangePercentage24h: market.change24h,
    tokenPriceChangePercentage7d: market.change7d,
    marketCap: shown(market.marketCap),
    fdv: shown(market.fdv),
    netAssetValue: shown(market.nav?.navPerShare),
    premDisc: shown(market.nav?.premium),
    mNAV: shown(multiple),
    treasuryValue: shown(market.nav?.netAssetValue),
    tokenCirculatingSupply: market.circulating,
    tokenTotalSupply: market.totalSupply,
    spendingLimit: ask.world.allowance(who, ask.at),
    updatedAt: iso(ask.at),
  };
}

export const projectsLaunch = many({
  meta: FULL_META,
  items: ({ world }) => world.projects,
  show: (who, ask) => ({
    ...projectRow(who, ask),
    monthsOfRunway: ask.world.treasury.nav({ who, when: ask.at, asOf: ask.at })?.monthsOfRunway ?? null,
    launchState:
      ask.world.launches.all(ask.at).flatMap((one) => (one.slug === who.slug ? [ask.world.launches.view(one, ask.at).state] : []))[0] ??
      null,
  }),
});

function activityOf({ world, at }: RouteRequest, found: readonly Proposal[]) {
  const markets = found.map((proposal) => world.proposals.market(proposal, at));
  return {
    live: markets.filter(({ phase }) => phase === 'live').length,
    trades: markets.reduce((sum, { trades }) => sum + trades, 0),
    volume: sumOf(markets.map(({ volume }) => volume)),
  };
}

export const projects = many({
  meta: FULL_META,
  items: ({ world }) => world.projects,
  show(who, ask) {
    const found = ask.world.proposals.list(who, ask.at);
    const activity = activityOf(ask, found);
    return {
      ...projectRow(who, ask),
      runway: ask.world.treasury.nav({ who, when: ask.at, asOf: ask.at })?.monthsOfRunway ?? null,
      proposalCount: found.length,
      activeProposals: activity.live,
      totalTrades: activity.trades,
      totalTradeVolume: activity.volume,
    };
  },
});

const MAX_FOUND = 20;

export const search = one(({ world, at, input }) => {
  const text = input['search']?.trim().toLowerCase();
  if (!text) throw new ServiceRefusal(400, 'search is required');
  const hits = (...words: readonly string[]): boolean => words.some((word) => word.toLowerCase().includes(text));
  return {
    projects: world.projects
      .filter((who) => hits(who.slug, who.name, who.symbol))
      .slice(0, MAX_FOUND)
      .map((who) => ({ organizationName: who.name, organizationSlug: who.slug, tokenSymbol: who.symbol, baseMint: world.mint(who.slug) })),
    proposals: world.proposals
      .all(at)
      .filter((found) => hits(found.title))
      .slice(0, MAX_FOUND)
      .map((found) => ({ id: found.id, proposalTitle: found.title, proposalPublicKey: found.publicKey, organizationSlug: found.slug })),
  };
});

export const marketTotals = one((ask) => {
  const found = ask.world.proposals.all(ask.at);
  const activity = activityOf(ask, found);
  return {
    totalProposals: found.length,
    liveProposals: activity.live,
    totalTrades: activity.trades,
    totalUniqueTraders: new Set(found.flatMap((proposal) => ask.world.proposals.traders(proposal, ask.at))).size,
    totalVolume: activity.volume,
  };
});

export const allMarkets = many({
  meta: FULL_META,
  items: ({ world, at }) => world.proposals.all(at),
  show(found, { world, at }) {
    const market = world.proposals.market(found, at);
    const [status, result] = NEW_WORDS[market.phase];
    return {
      publicKey: found.publicKey,
      projectSlug: found.slug,
      project: world.find(found.slug)?.name ?? found.slug,
      proposal: found.title,
      status,
      result,
      startDate: iso(found.liveAt),
      endDate: iso(found.endsAt),
      passedThresholdBps: found.thresholdBps,
      performanceStats: { totalVolume: market.volume, totalTrades: market.trades },
    };
  },
});

/** Lists drafts and live markets. */
export const liveMarkets = many({
  meta: ['totalItems', 'currentPage'],
  items: ({ world, at }) => world.proposals.all(at).filter((found) => ['draft', 'live'].includes(world.proposals.phase(found, at))),
  show(found, { world, at }) {
    const market = world.proposals.market(found, at);
    const who = world.find(found.slug);
    return {
      proposalPublicKey: found.publicKey,
      organizationName: who?.name ?? found.slug,
      organizationSlug: found.slug,
      tokenSymbol: who?.symbol ?? null,
      proposalTitle: found.title,
      proposalCreationDate: iso(found.createdAt),
      proposalStartDate: iso(found.liveAt),
      proposalEndDate: iso(found.endsAt),
      status: NEW_WORDS[market.phase][0],
      totalTradeVolume: market.volume,
      totalTrade: jsonNumber(String(market.trades)),
      totalUniqueTraders: market.traders,
      ...stakes(found, market),
    };
  },
});

const REACH = 30 * DAY;

/** Ended projects count at their last price. */
export const marketCapChart = many({
  items: ({ world, at }) => world.combined.marketCaps(at, instant(at - REACH)),
  show: ({ at, value }) => ({ timestamp: unix(at), marketCap: value }),
});

export const treasuryValueChart = many({
  items: ({ world, at }) => world.combined.treasuryValues(at, instant(at - REACH)),
  show: ({ at, value }) => ({ timestamp: unix(at), totalValue: value }),
});
