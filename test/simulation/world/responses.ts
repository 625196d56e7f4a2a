/** The responses of the simulated service in the shapes of the interface, as data; undefined: 404. */
import { DAY } from '../../../src/base/clock.js';
import { liveMarketRows, projectRows } from './global-lists.js';
import { growthFeed, launchLists, trancheRows } from './listed.js';
import { tradeRows } from './trades.js';
import { iso, keyOf, nameOf, proposalRow, supplyAfter, treasuryAt } from './truth.js';
import type { LedgerRow, World } from './world.js';
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

export function respond({ path, input, now }: Query, world: World, jobs: WalletJobs): Response {
  const project = input['slug'] ?? '';
  const isKnown = world.projects.includes(project);
  switch (path) {
    case '/v1/global-dashboard/projects-launch':
      return { rows: projectRows(world, now) };
    case '/v1/global-dashboard/projects/decision-markets':
      return { rows: liveMarketRows(world, now) };
    case '/v1/global-dashboard/projects':
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
      return { rows: [] };
    case '/v1/dao/token-supply':
      return isKnown ? { rows: ledger(world, project, 'supply', now).map((row) => supplyRow(row, world)) } : undefined;
    case '/v1/movement':
      return isKnown ? { rows: ledger(world, project, 'movements', now).map(movementRow) } : undefined;
    case '/v1/proposal':
      return isKnown
        ? { rows: world.markets.flatMap((one) => (one.project === project && one.createdAt <= now ? [proposalRow(one, now)] : [])) }
        : undefined;
    case '/v1/dao/treasury/nav-as-chart':
      // Where lists mislead, a project's own history says whether to believe them.
      return isKnown && world.troubles !== undefined ? { rows: navRows(world, project, now) } : undefined;
    case '/v1/dao/treasury/overview':
      return valueAt(world, project, now);
    default:
      return proposalDetail(path, world, now) ?? tradeRows(path, world, now) ?? jobs.respond({ path, input, now });
  }
}

const ledger = (world: World, project: string, name: LedgerRow['ledger'], now: number): readonly LedgerRow[] =>
  world.rows.flatMap((row) => {
    if (row.project !== project || row.ledger !== name || row.shownAt > now) return [];
    const { restated } = row;
    if (restated === undefined || restated.at > now) return [row];
    return restated.to === 'removed' ? [] : [{ ...row, at: restated.to }];
  });

const supplyRow = ({ project, amount, direction, usd, at }: LedgerRow, world: World) => ({
  id: amount,
  timestamp: iso(at),
  type: direction === 'in' ? 'Mint' : 'Burn',
  amount: `${amount}`,
  resultingSupply: `${supplyAfter(world, { project, amount })}`,
  change: '0.001',
  priceAtTime: '1',
  usdValue: `${usd}`,
  signature: null,
  proposal: null,
});

const movementRow = ({ amount, direction, usd, at, token = 'USDC' }: LedgerRow) => ({
  id: amount,
  timestamp: iso(at),
  status: 'classified',
  direction: direction === 'in' ? 'inflow' : 'outflow',
  category: 'Expenses',
  fromName: 'Treasury',
  toName: 'Harbor Works',
  tokenSymbol: token === 'unknown' ? null : token,
  amount: `${amount}`,
  usdValue: `${usd}`,
});

function proposalDetail(path: string, world: World, now: number): Response {
  const key = /^\/v1\/proposal\/([^/]+)$/u.exec(path)?.[1];
  const market = world.markets.find((one) => keyOf(one) === key && one.createdAt <= now);
  return market === undefined ? undefined : { data: proposalRow(market, now) };
}

/** The first value stood a day before: a chart has one point of each day. */
const navRows = (world: World, project: string, now: number): readonly unknown[] => {
  const values = world.values.filter((one) => one.project === project && one.at <= now);
  const [first] = values;
  const all = first === undefined ? [] : [{ ...first, at: first.at - DAY }, ...values];
  return all.map(({ at, price, navPerShare }) => ({ timestamp: iso(at), spotPrice: price, navPerShare }));
};

const valueAt = (world: World, project: string, now: number): Response => {
  const data = treasuryAt(world, project, now);
  return data && { data };
};
