/** The responses of the simulated service in the shapes of the interface, as data; undefined: 404. */
import { growthFeed, launchLists, trancheRows } from './listed.js';
import type { LedgerRow, Market, World } from './world.js';
import type { WalletJobs } from './wallet-jobs.js';

export interface Query {
  readonly path: string;
  readonly input: Readonly<Record<string, string>>;
  readonly now: number;
}

interface Listed {
  readonly rows: readonly unknown[];
}
type Response = { readonly data: unknown } | Listed | undefined;

const iso = (moment: number): string => new Date(moment).toISOString();

/** How often a market's edge rises, in ms. */
const EDGE_RISES = 7_000;
const TENTHS = 10;

export function respond({ path, input, now }: Query, world: World, jobs: WalletJobs): Response {
  const project = input['slug'] ?? '';
  const isKnown = world.projects.includes(project);
  switch (path) {
    case '/v1/global-dashboard/projects':
    case '/v1/global-dashboard/projects-launch':
      return {
        rows: world.projects.map((slug) => ({ organizationSlug: slug, organizationName: nameOf(slug), tokenSymbol: slug.toUpperCase() })),
      };
    case '/v1/global-dashboard/recent-launches':
      return { rows: launchLists(world, now).recent };
    case '/v1/global-dashboard/completed-launches/info':
      return { rows: launchLists(world, now).completed };
    case '/v1/project-overview/tranche-ladder':
      return trancheRows(world, project, now);
    case '/v1/growth-feed':
      return growthFeed(world, project, now);
    case '/v1/global-dashboard/graveyard-launches':
    case '/v1/global-dashboard/projects/decision-markets':
      return { rows: [] };
    case '/v1/dao/token-supply':
      return isKnown ? { rows: ledger(world, project, 'supply', now).map(supplyRow) } : undefined;
    case '/v1/movement':
      return isKnown ? { rows: ledger(world, project, 'movements', now).map(movementRow) } : undefined;
    case '/v1/proposal':
      return isKnown
        ? { rows: world.markets.flatMap((one) => (one.project === project && one.createdAt <= now ? [proposalRow(one, now)] : [])) }
        : undefined;
    case '/v1/dao/treasury/overview':
      return valueAt(world, project, now);
    default:
      return proposalDetail(path, world, now) ?? jobs.respond({ path, input, now });
  }
}

const nameOf = (slug: string): string => `${slug.slice(0, 1).toUpperCase()}${slug.slice(1)}`;

const ledger = (world: World, project: string, name: LedgerRow['ledger'], now: number): readonly LedgerRow[] =>
  world.rows.flatMap((row) => {
    if (row.project !== project || row.ledger !== name || row.shownAt > now) return [];
    const { restated } = row;
    if (restated === undefined || restated.at > now) return [row];
    return restated.to === 'removed' ? [] : [{ ...row, at: restated.to }];
  });

const supplyRow = ({ amount, direction, usd, at }: LedgerRow) => ({
  id: amount,
  timestamp: iso(at),
  type: direction === 'in' ? 'Mint' : 'Burn',
  amount: `${amount}`,
  resultingSupply: '12900000',
  change: '0.001',
  priceAtTime: '1',
  usdValue: `${usd}`,
  signature: null,
  proposal: null,
});

const movementRow = ({ amount, direction, usd, at }: LedgerRow) => ({
  id: amount,
  timestamp: iso(at),
  status: 'classified',
  direction: direction === 'in' ? 'inflow' : 'outflow',
  category: 'Expenses',
  fromName: 'Treasury',
  toName: 'Harbor Works',
  tokenSymbol: 'USDC',
  amount: `${amount}`,
  usdValue: `${usd}`,
});

function proposalRow({ title, project, createdAt, liveAt, endsAt, result }: Market, now: number) {
  const status = now < liveAt ? 'draft' : now < endsAt ? 'live' : result;
  const edge = Math.floor((Math.min(now, endsAt) - liveAt) / EDGE_RISES) / TENTHS;
  return {
    publicKey: keyOf(title),
    projectSlug: project,
    proposalTitle: title,
    status,
    createdAt: iso(createdAt),
    startDate: iso(liveAt),
    endDate: iso(endsAt),
    ...(now < liveAt ? {} : { passEdge: `${edge}` }),
    threshold: '0.1',
  };
}

const keyOf = (title: string): string => title.replaceAll(/[^A-Za-z0-9]/gu, '');

function proposalDetail(path: string, world: World, now: number): Response {
  const key = /^\/v1\/proposal\/([^/]+)$/u.exec(path)?.[1];
  const market = world.markets.find((one) => keyOf(one.title) === key && one.createdAt <= now);
  return market === undefined ? undefined : { data: proposalRow(market, now) };
}

function valueAt(world: World, project: string, now: number): Response {
  const value = world.values.findLast((one) => one.project === project && one.at <= now);
  if (value === undefined) return undefined;
  const nav = world.navs.findLast((one) => one.project === project && one.at <= now);
  return {
    data: {
      netAssetValueUsd: `${nav?.dollars ?? 10_000_000}`,
      navPerAdjustedShare: value.navPerShare,
      spotPrice: value.price,
      monthsOfRunway: value.runway,
      monthlyAllowance: '100000',
      updatedAt: iso(Math.max(value.at, nav?.at ?? value.at)),
    },
  };
}
