/** Global lists, totals and decision markets of all projects (§4.12; the layout is not specified). */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { labelled, readObject } from '../field-reader.js';
import { get, list, paging } from '../endpoint-row.js';
import { count, decimal, marketPrice, moment, priced, readable, words } from '../wire-values.js';
import { proposalRow } from './proposals.js';

const projectRow = readObject((from) => {
  const price = from.get('spotPrice', marketPrice);
  return {
    slug: from.get('slug', words),
    name: from.get('name', words),
    symbol: from.get('symbol', words),
    mint: from.get('baseMint', words),
    price,
    change1h: from.get('change1h', decimal),
    change24h: from.get('change24h', decimal),
    change7d: from.get('change7d', decimal),
    marketCap: priced(price, from.get('marketCap', decimal)),
    fdv: priced(price, from.get('fdv', decimal)),
    supply: from.get('totalSupply', decimal),
    circulating: from.get('circulating', decimal),
    /** Here the service's NAV is per token. */
    navPerShare: from.get('navPerToken', decimal),
    premium: from.get('premium', decimal),
    /** The value is in USD. */
    treasury: from.get('treasuryTotal', decimal),
    /** The value is in USD per month. */
    allowance: from.get('allowance', decimal),
    runway: from.get('runway', decimal),
    proposals: from.get('proposalCount', count),
    liveProposals: from.get('liveProposals', count),
    /** The value is in USD, for decision markets. */
    volume: from.get('tradeVolume', decimal),
    state: from.get('state', words),
    updatedAt: from.get('updatedAt', moment),
  };
}).refine((row) => (row.slug ?? row.mint ?? row.name) !== undefined, 'a project without slug, mint and name');
export type ProjectRow = z.output<typeof projectRow>;

export const projectsLaunch = list({
  id: 'dashboard.projects-launch',
  path: '/v1/global-dashboard/projects-launch',
  spec: '§4.12',
  input: z.object(paging),
  freshFor: 5 * MINUTE,
  dated: 'newest-row',
  row: projectRow,
});

export const projects = list({
  id: 'dashboard.projects',
  path: '/v1/global-dashboard/projects',
  spec: '§4.12',
  input: z.object(paging),
  freshFor: 5 * MINUTE,
  dated: 'newest-row',
  row: projectRow,
});

const hit = readObject((from) => ({
  proposalKey: from.get('proposalKey', words),
  title: from.get('proposalTitle', words),
  slug: from.get('slug', words),
  name: from.get('name', words),
  symbol: from.get('symbol', words),
}));

const namedLists = z.record(z.string(), z.unknown()).catch({});

/** The answer is one list or several. The kind of a hit follows from the list's name, else from a proposal key. */
export const search = get({
  id: 'dashboard.search',
  path: '/v1/global-dashboard/search',
  spec: '§4.12',
  input: z.object({ search: z.string().min(1) }),
  freshFor: MINUTE,
  data: z.unknown().transform((value) => {
    const lists = Array.isArray(value) ? [['', value] as const] : Object.entries(namedLists.parse(value));
    const hits = lists.flatMap(([name, items]) =>
      readable(Array.isArray(items) ? items : [], hit).map((read) => {
        const proposal =
          /proposal|market/iu.test(name) || (!/project|organi[sz]ation|dao|coin/iu.test(name) && read.proposalKey !== undefined);
        return { ...read, proposal };
      }),
    );
    return {
      projects: hits.filter((one) => !one.proposal && one.slug !== undefined),
      proposals: hits.filter((one) => one.proposal && one.proposalKey !== undefined),
    };
  }),
});

/** `all` has every number with its label. */
export const marketTotals = get({
  id: 'dashboard.market-totals',
  path: '/v1/global-dashboard/overview/decision-markets',
  spec: '§4.12',
  input: z.object({}),
  freshFor: 5 * MINUTE,
  data: readObject((from, root) => ({
    proposals: from.get('proposalCount', count),
    live: from.get('liveProposals', count),
    trades: from.get('trades', count),
    traders: from.get('traders', count),
    /** The value is in USD. */
    volume: from.get('tradeVolume', decimal),
    all: labelled(root),
  })),
});

/** Project names are under `project`, titles under `proposal`. */
export const allMarkets = list({
  id: 'dashboard.markets',
  path: '/v1/global-dashboard/decision-markets',
  spec: '§4.12',
  input: z.object(paging),
  freshFor: MINUTE,
  row: proposalRow,
});

export const liveMarkets = list({
  id: 'dashboard.live-markets',
  path: '/v1/global-dashboard/projects/decision-markets',
  spec: '§4.12',
  input: z.object(paging),
  freshFor: MINUTE,
  row: proposalRow,
});

/** Hourly points in USD. */
export const marketCapChart = list({
  id: 'dashboard.market-cap-chart',
  path: '/v1/global-dashboard/overview/ownership-coins/market-cap-chart',
  spec: '§4.12',
  input: z.object({}),
  freshFor: 30 * MINUTE,
  dated: 'points',
  row: readObject((from) => ({ at: from.get('timestamp', moment), value: from.get('marketCap', decimal) ?? from.get('value', decimal) })),
});

/** Hourly points in USD. */
export const treasuryValueChart = list({
  id: 'dashboard.treasury-value-chart',
  path: '/v1/global-dashboard/overview/ownership-coins/treasury-value-chart',
  spec: '§4.12',
  input: z.object({}),
  freshFor: 30 * MINUTE,
  dated: 'points',
  row: readObject((from) => ({
    at: from.get('timestamp', moment),
    value: from.get('treasuryTotal', decimal) ?? from.get('value', decimal),
  })),
});
