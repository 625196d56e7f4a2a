/** Holders and vesting (§4.5, fields §2.11), by mint. Distribution amounts are raw. */
import { z } from 'zod';
import { HOUR, MINUTE } from '../../base/clock.js';
import { publicKeySchema } from '../../domain/wallet.js';
import { occurrences } from '../field-reader.js';
import { bySlug, get, list, paging } from '../endpoint-row.js';
import { count, decimal, flag, maybe, moment, raw, readable, words } from '../wire-values.js';

const holder = z
  .object({
    owner: words,
    balance: decimal,
    percentageOfTotalSupply: maybe(decimal),
    rank: maybe(count),
    percentageOfWallet: maybe(decimal),
  })
  .transform((row) => ({
    owner: row.owner,
    balance: row.balance,
    share: row.percentageOfTotalSupply,
    /** 1 is the largest. */
    rank: row.rank,
    /** The value is in percent of the wallet's value. */
    ofWallet: row.percentageOfWallet,
  }));
export type Holder = z.output<typeof holder>;

export const tokenHolders = list({
  id: 'holders.list',
  path: '/v1/project-overview/token-holders',
  spec: '§4.5',
  /** A slug in place of a mint is refused before the call. */
  input: z.object({ baseMint: publicKeySchema, ...paging }),
  /** The service updates it every half hour (§8). */
  freshFor: 30 * MINUTE,
  row: holder,
});

const allocation = z
  .object({ allocation: words, amount: maybe(raw), percentage: maybe(decimal) })
  .transform((row) => ({ name: row.allocation, raw: row.amount, share: row.percentage }));
export type Allocation = z.output<typeof allocation>;

const decimalPlaces = maybe(count.pipe(z.int().min(0).max(30)));

export const tokenDistribution = get({
  id: 'holders.distribution',
  path: '/v1/project-overview/token-distribution',
  spec: '§4.5',
  input: bySlug,
  freshFor: HOUR,
  data: z.looseObject({ totalSupply: maybe(decimal), categories: maybe(z.array(z.unknown())) }).transform((answer) => {
    const all = answer.categories ?? [];
    const categories = readable(all, allocation);
    return {
      totalSupply: answer.totalSupply,
      categories,
      decimals: decimalPlaces.parse(occurrences(answer, 'decimals')[0]),
      broken: all.length - categories.length,
    };
  }),
});

const cliff = z
  .object({ timestamp: maybe(moment), date: maybe(moment), passed: maybe(flag), daysRemaining: maybe(count) })
  .transform((row) => ({ at: row.timestamp ?? row.date, passed: row.passed, daysRemaining: row.daysRemaining }));
export type Cliff = z.output<typeof cliff>;

export const performancePackage = get({
  id: 'holders.package',
  path: '/v1/project-overview/performance-package',
  spec: '§4.5',
  input: bySlug,
  freshFor: HOUR,
  data: z
    .object({
      totalInPackage: maybe(decimal),
      locked: maybe(decimal),
      claimableNow: maybe(decimal),
      claimed: maybe(decimal),
      tokenSymbol: maybe(words),
      cliff: maybe(cliff),
    })
    .transform((row) => ({
      total: row.totalInPackage,
      /** Tokens that are not vested. */
      locked: row.locked,
      /** Tokens that are vested and unclaimed. */
      claimable: row.claimableNow,
      claimed: row.claimed,
      symbol: row.tokenSymbol,
      cliff: row.cliff,
    })),
});

const tranche = z
  .object({
    order: count,
    tokens: maybe(decimal),
    multiplier: maybe(decimal),
    priceThreshold: maybe(decimal),
    icoPrice: maybe(decimal),
    cliff: maybe(cliff),
    state: maybe(words),
  })
  .transform((row) => ({
    /** 0 unlocks first. */
    order: row.order,
    tokens: row.tokens,
    /** A multiple of the ICO price. */
    multiplier: row.multiplier,
    /** The value is in USD. */
    threshold: row.priceThreshold,
    icoPrice: row.icoPrice,
    cliff: row.cliff,
    /** `locked`, `cliff-twap-pending` or `unlocked`. */
    state: row.state,
  }));
export type Tranche = z.output<typeof tranche>;

export const trancheLadder = list({
  id: 'holders.tranches',
  path: '/v1/project-overview/tranche-ladder',
  spec: '§4.5',
  input: bySlug,
  freshFor: 30 * MINUTE,
  row: tranche,
});

const unlockPoint = z.object({ date: moment, twap: maybe(decimal), cumulativeUnlocked: maybe(decimal) }).transform((row) => ({
  at: row.date,
  /** The value is in USD; unknown for future days. */
  twap: row.twap,
  /** The value is in tokens, cumulative. */
  unlocked: row.cumulativeUnlocked,
}));
export type UnlockPoint = z.output<typeof unlockPoint>;

export const unlockSchedule = list({
  id: 'holders.unlocks',
  path: '/v1/project-overview/unlock-schedule',
  spec: '§4.5',
  input: bySlug,
  freshFor: HOUR,
  dated: 'days',
  named: ['scheduleData'],
  row: unlockPoint,
});
