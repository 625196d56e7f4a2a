/** Serves a project (§4.9): overview, market metrics, legal texts, growth (§2.15), DAO configuration and timeline. */
import { DAY, HOUR, instant, type Instant } from '../../base/clock.js';
import { daySchema } from '../../domain/scalars.js';
import { hasOpCo } from '../world/accounts.js';
import { human, jsonNumber, percentOf, product, ratio } from '../world/amounts.js';
import { METRICS, type Character } from '../world/invented-projects.js';
import { midnight } from '../world/growth.js';
import { notCirculating } from '../world/supply.js';
import { ServiceRefusal } from '../error-response.js';
import { iso, many, one, projectOf, type RouteRequest } from '../route.js';
import { icoPrice } from './launches.js';

/** Null for every project, as at the real service. */
export const projectUrl = one(() => null);

const change = ({ world, at }: RouteRequest, who: Character, span: number): string =>
  percentOf(world.price(who, instant(at - span)), world.price(who, at), 4);

/** Computes the market cap from the circulating supply, and the FDV from the total supply. */
export function marketOf(ask: RouteRequest, who: Character) {
  const price = ask.world.price(who, ask.at);
  const supply = ask.world.supply.current(who, ask.at);
  const circulating = human(supply - notCirculating(who));
  return {
    price,
    totalSupply: human(supply),
    circulating,
    marketCap: product(price, circulating, 2),
    fdv: product(price, human(supply), 2),
    change1h: change(ask, who, HOUR),
    change24h: change(ask, who, DAY),
    change7d: change(ask, who, 7 * DAY),
    icoPrice: icoPrice(ask.world.launches.first(who)),
    nav: ask.world.treasury.nav({ who, when: ask.at, asOf: ask.at }),
  };
}

export const projectOverview = one((ask) => {
  const who = projectOf(ask);
  const market = marketOf(ask, who);
  return {
    projectName: who.name,
    tokenSymbol: who.symbol,
    tokenPrice: market.price,
    tokenPriceUSDChange24h: market.change24h,
    circulatingSupply: market.circulating,
    totalSupply: market.totalSupply,
    icoPrice: market.icoPrice,
    baseMint: ask.world.mint(who.slug),
    projectDescription: who.about,
    projectSubDescription: null,
  };
});

export const marketMetrics = one((ask) => {
  const who = projectOf(ask);
  const market = marketOf(ask, who);
  return {
    baseMint: ask.world.mint(who.slug),
    tokenPrice: market.price,
    priceChangePercentage1h: jsonNumber(market.change1h),
    priceChangePercentage24h: jsonNumber(market.change24h),
    priceChangePercentage7d: jsonNumber(market.change7d),
    liquidity: market.nav ? product(market.nav.lpValue, '2', 2) : null,
    volume24h: ask.world.volume(who, ask.at),
    marketCap: market.marketCap,
    fdv: market.fdv,
    returnSinceIco: jsonNumber(ratio(market.price, market.icoPrice, 4)),
    navPerAdjustedShare: market.nav?.navPerShare ?? null,
    discount: market.nav ? { pct: jsonNumber(market.nav.premium) } : null,
  };
});

export const legals = many({
  items: (ask) => {
    const { slug } = projectOf(ask);
    return ['Charter', 'Terms of sale'].map((name, index) => ({ name, url: `https://${slug}.example/legal/${index + 1}` }));
  },
  show: (document) => document,
});

interface Entity {
  readonly who: Character;
  readonly type: 'DAO' | 'OpCo';
}

/** Covers all projects without `slug` (§7). Some projects have no entity. */
export const legalEntities = many({
  items: (ask): readonly Entity[] => {
    const all = ask.input['slug'] === undefined ? ask.world.projects : [projectOf(ask)];
    const type = ask.input['type'];
    return all
      .flatMap((who): readonly Entity[] =>
        who.rows === 'old'
          ? []
          : hasOpCo(who)
            ? [
                { who, type: 'DAO' },
                { who, type: 'OpCo' },
              ]
            : [{ who, type: 'DAO' }],
      )
      .filter((entity) => type === undefined || entity.type === type);
  },
  show: ({ who, type }) => ({
    legalName: `${who.name} ${type === 'DAO' ? 'Foundation' : 'Operations Ltd'}`,
    jurisdiction: type === 'DAO' ? 'Cayman Islands' : 'Portugal',
    entityType: type,
    project: who.slug,
  }),
});

/** The most days of a range, both ends included (§8). */
const MAX_DAYS = 366;
const USUAL_DAYS = 90;

function dayOf(ask: RouteRequest, name: 'from' | 'to'): Instant | undefined {
  const text = ask.input[name];
  if (text === undefined) return undefined;
  if (!daySchema.safeParse(text).success) throw new ServiceRefusal(400, `${name} must be a UTC date, YYYY-MM-DD`);
  return instant(Date.parse(text));
}

export const growthFeed = one((ask) => {
  const who = projectOf(ask);
  const to = dayOf(ask, 'to') ?? instant(midnight(ask.at) - DAY);
  const from = dayOf(ask, 'from') ?? instant(to - (USUAL_DAYS - 1) * DAY);
  if (from > to) throw new ServiceRefusal(400, 'from must not be after to');
  if ((to - from) / DAY + 1 > MAX_DAYS) throw new ServiceRefusal(400, `the range may cover at most ${MAX_DAYS} days`);
  const { growth } = ask.world;
  const metrics = growth.metrics(who).map((metricId) => {
    const about = METRICS[metricId];
    return {
      metricId,
      name: about?.name ?? metricId,
      unit: about?.unit ?? 'count',
      semantics: about?.semantics ?? 'sum',
      // Counts are sent as numbers, money as text.
      observations: growth
        .observations({ who, metricId, from, to, at: ask.at })
        .map(({ date, value }) => ({ date, value: about?.places === 0 ? jsonNumber(value) : value })),
    };
  });
  return { slug: who.slug, status: metrics.length === 0 ? 'no_source' : 'ok', metrics };
});

const GOVERNANCE = {
  passThresholdBps: 150,
  teamSponsoredPassThresholdBps: -300,
  secondsPerProposal: 259_200,
  twapStartDelaySeconds: 86_400,
  baseToStake: '500000',
};

export const daoOverview = one((ask) => {
  const who = projectOf(ask);
  const market = marketOf(ask, who);
  const mint = ask.world.mint(who.slug);
  return {
    name: who.name,
    slug: who.slug,
    imageUrl: null,
    updatedAt: iso(ask.at),
    baseMint: mint,
    network: { network: 'mainnet' },
    spendingLimit: ask.world.allowance(who, ask.at),
    ...GOVERNANCE,
    baseToken: {
      name: who.name,
      symbol: who.symbol,
      publicKey: mint,
      usdPrice: market.price,
      priceChangePercentage1h: market.change1h,
      priceChangePercentage24h: market.change24h,
      priceChangePercentage7d: market.change7d,
      circulatingSupply: market.circulating,
      totalSupply: market.totalSupply,
      updatedAt: iso(ask.at),
    },
  };
});

export const projectTimeline = one((ask) => {
  const who = projectOf(ask);
  return { startDate: iso(ask.world.born(who)), endDate: iso(ask.world.ended(who) ?? ask.at) };
});
