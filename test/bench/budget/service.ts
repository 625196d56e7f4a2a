/** The service of a played month, behind the client's transport: it answers from the truth, within a plan, and its global lists may be wrong. */
import type { Connect, Request, TransportResponse } from '../../../src/analytics/transport.js';
import { DAY, HOUR } from '../../../src/base/clock.js';
import { launchLists, trancheRows } from '../../simulation/world/listed.js';
import { START, figuresAt, supplyAt, type LedgerRow, type Market, type Month, type Project } from './truth.js';

export const LISTS = ['honest', 'lagging', 'wrong', 'none'] as const;
/** Lagging: an hour old. Wrong: a day old for three projects, and dated now. None: not there. */
export type Lists = (typeof LISTS)[number];

/** What a response can tell; `movements` and so on only the endpoint of the project does. */
export const LIST_FACTS = ['premium', 'nav', 'price', 'runway', 'supply', 'market', 'launch'] as const;
export const OTHER_FACTS = ['movements', 'vesting', 'growth'] as const;
export type Fact = (typeof LIST_FACTS)[number] | (typeof OTHER_FACTS)[number];

/** The facts that the bot takes from a list; what else a list says does not count as known. */
const TAKEN: Readonly<Record<string, readonly Fact[]>> = {
  'projects-launch': ['supply', 'premium', 'nav', 'price', 'runway'],
  'projects/decision-markets': ['market'],
};

const FIGURE_FACTS: readonly Fact[] = ['premium', 'nav', 'price', 'runway'];
const ALL = 'all';
const LAG = HOUR;
const WRONG_BY = DAY;
const WRONG_PROJECTS = 3;
const GLOBAL = '/v1/global-dashboard/';
const SUPPLY_PAGE = 20;

export interface ServiceOptions {
  readonly month: Month;
  readonly lists: Lists;
  readonly plan: { readonly rows: number; readonly pages: number };
  readonly now: () => number;
  /** A response told a fact of a project (of `all` for launches), as it was then. */
  readonly told: (fact: Fact, project: string, asOf: number) => void;
}

export interface BenchService {
  readonly connect: Connect;
  /** When each request arrived, and which path it had. */
  readonly requests: readonly { readonly at: number; readonly path: string }[];
}

interface Listed {
  readonly rows: readonly unknown[];
  /** Called for the rows that a page shows. */
  readonly shown?: (from: number, to: number) => void;
}
type Found = { readonly data: unknown } | Listed | undefined;

const iso = (moment: number): string => new Date(moment).toISOString();
const body = (value: unknown): TransportResponse => ({ kind: 'body', text: JSON.stringify(value) });
const status = (code: number): TransportResponse => ({ kind: 'status', status: code, retryAfter: undefined });

export function benchService({ month, lists, plan, now, told }: ServiceOptions): BenchService {
  const requests: { readonly at: number; readonly path: string }[] = [];
  const bySlug = new Map(month.projects.map((project) => [project.slug, project]));
  const wrong = new Set(lists === 'wrong' ? month.projects.slice(0, WRONG_PROJECTS).map(({ slug }) => slug) : []);
  const world = { ...NOTHING, projects: [...bySlug.keys()], launches: month.launches, tranches: month.tranches };

  /** What a list takes for now. */
  const listTime = (project: string): number => now() - (lists === 'lagging' ? LAG : wrong.has(project) ? WRONG_BY : 0);
  const isRight = (project: string): boolean => !wrong.has(project);

  const noted = (facts: readonly Fact[], project: string, asOf = now()): void => {
    for (const fact of facts) told(fact, project, asOf);
  };

  const globalList = (name: string): Found => {
    const shown = (projects: readonly string[]) => (from: number, to: number) => {
      for (const project of projects.slice(from, to)) if (isRight(project)) noted(TAKEN[name] ?? [], project, listTime(project));
    };
    switch (name) {
      case 'projects':
      case 'projects-launch':
        if (lists === 'none') return { rows: month.projects.map(named) };
        return {
          rows: month.projects.map((project) => projectRow(project, listTime(project.slug), now())),
          shown: shown(world.projects),
        };
      case 'projects/decision-markets': {
        const rows = openMarkets(month, listTime);
        // Who is not on it has no market, which only its last page tells.
        const all = (_: number, to: number): void => {
          if (to >= rows.length) shown(world.projects)(0, Number.POSITIVE_INFINITY);
        };
        return { rows, shown: all };
      }
      case 'decision-markets':
        return { rows: month.projects.flatMap((project) => marketRows(project, listTime(project.slug))).toReversed() };
      case 'recent-launches':
        return { rows: launchLists(world, listTime(ALL)).recent.toReversed(), shown: () => noted(['launch'], ALL, listTime(ALL)) };
      case 'completed-launches/info': {
        const rows = launchLists(world, listTime(ALL)).completed.toReversed();
        return { rows };
      }
      case 'graveyard-launches':
        return { rows: [] };
      default:
        return undefined;
    }
  };

  const own = (path: string, project: Project): Found => {
    switch (path) {
      case '/v1/dao/treasury/overview':
        noted(FIGURE_FACTS, project.slug);
        return { data: overview(project, now()) };
      case '/v1/dao/treasury/nav-as-chart':
        // A chart has no pages.
        return { data: { data: navChart(project, now()) } };
      case '/v1/dao/token-supply':
        return { rows: supplyRows(project, now()), shown: (from) => from === 0 && noted(['supply'], project.slug) };
      case '/v1/movement':
        return { rows: movementRows(project, now()), shown: (from) => from === 0 && noted(['movements'], project.slug) };
      case '/v1/proposal':
        return { rows: marketRows(project, now()).toReversed(), shown: (from) => from === 0 && noted(['market'], project.slug) };
      case '/v1/growth-feed':
        noted(['growth'], project.slug);
        return project.growth.length === 0 ? undefined : { data: growthData(project, now()) };
      case '/v1/project-overview/tranche-ladder':
        noted(['vesting'], project.slug);
        return trancheRows(world, project.slug, now());
      default:
        return undefined;
    }
  };

  const detail = (path: string): Found => {
    const key = /^\/v1\/proposal\/([^/]+)$/u.exec(path)?.[1];
    const market = month.projects.flatMap(({ markets }) => markets).find((one) => one.key === key);
    return market === undefined ? undefined : { data: marketRow(market, now()) };
  };

  const answer = ({ path, body: posted }: Request): TransportResponse => {
    const url = new URL(path, 'http://service.test');
    requests.push({ at: now(), path: url.pathname });
    if (posted !== undefined) return status(404);
    const project = bySlug.get(url.searchParams.get('slug') ?? '');
    const isGlobal = url.pathname.startsWith(GLOBAL);
    // Without its lists the service still says which projects and launches there are.
    if (isGlobal && lists === 'none' && /^(projects-launch|.*decision-markets)$/u.test(url.pathname.slice(GLOBAL.length)))
      return status(404);
    const found = isGlobal
      ? globalList(url.pathname.slice(GLOBAL.length))
      : project === undefined
        ? detail(url.pathname)
        : own(url.pathname, project);
    if (found === undefined) return status(404);
    if (!('rows' in found)) return body(found);
    const limit = Number(url.searchParams.get('limit') ?? Math.min(plan.rows, SUPPLY_PAGE));
    const page = Number(url.searchParams.get('page') ?? 1);
    if (limit > plan.rows || page > plan.pages) return status(403);
    const [from, to] = [(page - 1) * limit, page * limit];
    found.shown?.(from, to);
    return body({ data: found.rows.slice(from, to), meta: { totalItems: found.rows.length } });
  };

  return { requests, connect: () => ({ send: async (request) => answer(request), close: async () => {} }) };
}

/** What the lists of launches and tranches need beside themselves. */
const NOTHING = { rows: [], markets: [], values: [], holdings: [], growth: [], navs: [] };

const overview = (project: Project, now: number) => {
  const { price, navPerShare, premium, dollars, allowance, runway } = figuresAt(project, now);
  return {
    netAssetValueUsd: dollars,
    navPerAdjustedShare: navPerShare,
    spotPrice: price,
    premiumDiscountPercent: premium,
    monthsOfRunway: runway,
    monthlyAllowance: allowance,
    updatedAt: iso(now),
  };
};

const named = ({ slug, name, symbol }: Project) => ({
  organizationSlug: slug,
  organizationName: name,
  tokenSymbol: symbol,
  baseMint: `${symbol}Mint`,
});

const projectRow = (project: Project, asOf: number, now: number) => {
  const { price, navPerShare, premium, dollars, allowance, runway } = figuresAt(project, asOf);
  return {
    ...named(project),
    tokenUsdPrice: price,
    netAssetValue: navPerShare,
    premDisc: premium,
    treasuryValue: dollars,
    tokenTotalSupply: `${supplyAt(project, asOf)}`,
    spendingLimit: allowance,
    monthsOfRunway: runway,
    updatedAt: iso(now),
  };
};

/** A past year wide enough that nothing in the month is its extreme, then the days of the month. */
function navChart(project: Project, now: number): readonly unknown[] {
  const days = Math.floor((now - START) / DAY);
  const past = Array.from({ length: 365 }, (_, day) => ({
    ...{ timestamp: iso(START - (365 - day) * DAY), navPerAdjustedShare: '0.4', price: (0.4 + 0.18 * Math.sin(day / 9)).toFixed(6) },
  }));
  const month = Array.from({ length: days }, (_, day) => {
    const { price, navPerShare, dollars } = figuresAt(project, START + day * DAY);
    return { timestamp: iso(START + day * DAY), navPerAdjustedShare: navPerShare, price, netAssetValueUsd: dollars };
  });
  return [...past, ...month];
}

/** Newest first, as the service lists them. */
const shownRows = (rows: readonly LedgerRow[], now: number): readonly LedgerRow[] => rows.filter(({ at }) => at <= now).toReversed();

const supplyRows = (project: Project, now: number): readonly unknown[] => {
  let supply = supplyAt(project, now);
  return shownRows(project.supply, now).map(({ id, at, usd, tokens = 0, isIn }) => {
    const after = supply;
    supply -= isIn ? tokens : -tokens;
    return {
      ...{ id, timestamp: iso(at), type: isIn ? 'Mint' : 'Burn', amount: `${tokens}`, resultingSupply: `${after}` },
      ...{
        change: ((100 * tokens) / supply).toFixed(6),
        priceAtTime: (usd / tokens).toFixed(6),
        usdValue: `${usd}`,
        signature: null,
        proposal: null,
      },
    };
  });
};

const movementRows = (project: Project, now: number): readonly unknown[] =>
  shownRows(project.movements, now).map(({ id, at, usd, isIn }) => ({
    ...{ id, timestamp: iso(at), status: 'classified', direction: isIn ? 'inflow' : 'outflow', category: 'Expenses' },
    ...{ fromName: 'Treasury', toName: 'Harbor Works', tokenSymbol: 'USDC', amount: `${usd}`, usdValue: `${usd}` },
  }));

function marketRow(market: Market, now: number) {
  const { key, project, createdAt, liveAt, twapAt, endsAt, result } = market;
  return {
    publicKey: key,
    organizationSlug: project,
    proposalTitle: `Proposal ${key}`,
    status: now < liveAt ? 'draft' : now < endsAt ? 'live' : result,
    createdAt: iso(createdAt),
    startDate: iso(liveAt),
    twapStartDate: iso(twapAt),
    endDate: iso(endsAt),
    threshold: '1.5',
  };
}

const marketRows = ({ markets }: Project, now: number): readonly unknown[] =>
  markets.filter(({ createdAt }) => createdAt <= now).map((market) => marketRow(market, now));

const openMarkets = (month: Month, timeOf: (project: string) => number): readonly unknown[] =>
  month.projects.flatMap(({ slug, markets }) => {
    const now = timeOf(slug);
    return markets.filter(({ createdAt, endsAt }) => createdAt <= now && now < endsAt).map((market) => marketRow(market, now));
  });

const growthData = ({ growth }: Project, now: number) => {
  const days = growth.flatMap((at, day) => (at <= now ? [{ date: iso(START + (day - 1) * DAY).slice(0, 10), value: `${100 + day}` }] : []));
  const before = Array.from({ length: 20 }, (_, day) => ({ date: iso(START - (22 - day) * DAY).slice(0, 10), value: `${50 + day}` }));
  return { status: 'ok', metrics: [{ metricId: 'fees-usd', unit: 'usd', observations: [...before, ...days] }] };
};
