/** Recent, completed and ended launches (§4.8, fields §2.14). Amounts are raw with six decimals, the graveyard's `fundRaised` dollars. */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { fromRaw } from '../../domain/scalars.js';
import { list, paging } from '../endpoint-row.js';
import { count, decimal, flag, marketPrice, maybe, moment, priced, raw, seconds, words } from '../wire-values.js';

const QUOTE_DECIMALS = 6;
const dollars = raw.transform((amount) => fromRaw(amount, QUOTE_DECIMALS));

const common = {
  launchAddr: words,
  title: maybe(words),
  tokenSymbol: maybe(words),
  state: maybe(words),
  minimumRaiseAmount: maybe(dollars),
  committedAmount: maybe(dollars),
  fundsAccepted: maybe(dollars),
};

/** In dollars; undefined where a list lacks them. */
const named = (row: z.output<z.ZodObject<typeof common>>) => ({
  address: row.launchAddr,
  title: row.title,
  symbol: row.tokenSymbol,
  state: row.state,
  minimum: row.minimumRaiseAmount,
  committed: row.committedAmount,
  accepted: row.fundsAccepted,
});

const recent = z
  .object({
    ...common,
    baseMint: maybe(words),
    subDescription: maybe(words),
    organizationSlug: maybe(words),
    unixTimestampStarted: maybe(moment),
    secondsForLaunch: maybe(seconds),
    isFeatured: maybe(flag),
    isPermissionLess: maybe(flag),
    tokenUsdPrice: maybe(marketPrice),
    icoReturn: maybe(decimal),
    fdv: maybe(decimal),
  })
  .transform((row) => ({
    ...named(row),
    mint: row.baseMint,
    slug: row.organizationSlug,
    startedAt: row.unixTimestampStarted,
    /** Milliseconds; grows when a live launch is extended. */
    runsFor: row.secondsForLaunch,
    permissionless: row.isPermissionLess,
    price: row.tokenUsdPrice,
    /** Multiple of the ICO price. */
    icoReturn: priced(row.tokenUsdPrice, row.icoReturn),
    fdv: priced(row.tokenUsdPrice, row.fdv),
  }));
export type RecentLaunch = z.output<typeof recent>;

export const recentLaunches = list({
  id: 'launches.recent',
  path: '/v1/global-dashboard/recent-launches',
  spec: '§4.8',
  input: z.object(paging),
  freshFor: MINUTE,
  row: recent,
});

const completed = z
  .object({ ...common, baseMint: maybe(words), tokenUsdPrice: maybe(marketPrice), holdersCount: maybe(count), isFeatured: maybe(flag) })
  .transform((row) => ({ ...named(row), mint: row.baseMint, price: row.tokenUsdPrice, holders: row.holdersCount }));
export type CompletedLaunch = z.output<typeof completed>;

export const completedLaunches = list({
  id: 'launches.completed',
  path: '/v1/global-dashboard/completed-launches/info',
  spec: '§4.8',
  input: z.object(paging),
  freshFor: MINUTE,
  row: completed,
});

const ended = z
  .object({
    ...common,
    reasonStatus: maybe(words),
    dateEnded: maybe(moment),
    fundRaised: maybe(decimal),
    targetRaise: maybe(decimal),
    icoPrice: maybe(decimal),
    icoInvestors: maybe(count),
    organizationSlug: maybe(words),
  })
  .transform((row) => ({
    ...named(row),
    slug: row.organizationSlug,
    reason: row.reasonStatus,
    endedAt: row.dateEnded,
    /** Dollars. */
    raised: row.fundRaised,
    target: row.targetRaise,
    icoPrice: row.icoPrice,
    investors: row.icoInvestors,
  }));
export type EndedLaunch = z.output<typeof ended>;

export const graveyardLaunches = list({
  id: 'launches.graveyard',
  path: '/v1/global-dashboard/graveyard-launches',
  spec: '§4.8',
  input: z.object(paging),
  freshFor: MINUTE,
  row: ended,
});
