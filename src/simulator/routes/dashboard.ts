/** All projects at once (§4.12). The layouts are not specified; NAV in the project lists is per token, and one project's row is stale: all zeros. */
import { exactly, jsonNumber, rounded } from '../world/amounts.js';
import type { Character } from '../world/cast.js';
import { Refusal } from '../refusal.js';
import { FULL_META, iso, many, one, type Ask } from '../route.js';
import { marketOf } from './project.js';
import { NEW_WORDS, stakes } from './proposals.js';

function projectRow(who: Character, ask: Ask) {
  const market = marketOf(ask, who);
  const stale = who.quirk === 'zero-in-lists';
  const told = (value: string | undefined): string | null => (stale ? '0' : (value ?? null));
  const multiple = market.nav && rounded(exactly(market.price).div(market.nav.navPerShare), 4);
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
    marketCap: told(market.marketCap),
    fdv: told(market.fdv),
    netAssetValue: told(market.nav?.navPerShare),
    premDisc: told(market.nav?.premium),
    mNAV: told(multiple),
    treasuryValue: told(market.nav?.netAssetValue),
    tokenCirculatingSupply: market.circulating,
    tokenTotalSupply: market.totalSupply,
    spendingLimit: String(who.allowance),
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

export const projects = many({
  meta: FULL_META,
  items: ({ world }) => world.projects,
  show: (who, ask) => ({
    ...projectRow(who, ask),
    runway: ask.world.treasury.nav({ who, when: ask.at, asOf: ask.at })?.monthsOfRunway ?? null,
    proposalCount: ask.world.proposals.list(who, ask.at).length,
  }),
});

const MOST_FOUND = 20;

export const search = one(({ world, at, input }) => {
  const text = input['search']?.trim().toLowerCase();
  if (!text) throw new Refusal(400, 'search is required');
  const hits = (...words: readonly string[]): boolean => words.some((word) => word.toLowerCase().includes(text));
  return {
    projects: world.projects
      .filter((who) => hits(who.slug, who.name, who.symbol))
      .slice(0, MOST_FOUND)
      .map((who) => ({ organizationName: who.name, organizationSlug: who.slug, tokenSymbol: who.symbol, baseMint: world.mint(who.slug) })),
    proposals: world.proposals
      .all(at)
      .filter((found) => hits(found.title))
      .slice(0, MOST_FOUND)
      .map((found) => ({ id: found.id, proposalTitle: found.title, proposalPublicKey: found.publicKey, organizationSlug: found.slug })),
  };
});

export const marketTotals = one(({ world, at }) => {
  const markets = world.proposals.all(at).map((found) => world.proposals.market(found, at));
  const total = (of: (market: (typeof markets)[number]) => number): number => markets.reduce((sum, market) => sum + of(market), 0);
  return {
    totalProposals: markets.length,
    liveProposals: markets.filter((market) => market.phase === 'live').length,
    totalTrades: total((market) => market.trades),
    totalUniqueTraders: total((market) => market.traders),
    totalVolume: markets.reduce((sum, market) => sum.plus(market.volume), exactly(0)).toFixed(),
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

/** Drafts that gather stake, and markets that trade. */
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
