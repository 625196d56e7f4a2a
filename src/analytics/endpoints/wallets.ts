/** A wallet across projects (§4.3, fields §2.3 to §2.9). The field `needsRefresh` is unreliable, so it is ignored. */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { walletAddressSchema } from '../../domain/wallet.js';
import { reader } from '../field-reader.js';
import { get, list, paging, post } from '../endpoint-row.js';
import { count, decimal, flag, marketPrice, maybe, moment, priced, readable, words } from '../wire-values.js';

export const PREFIX = '/v1/trading-activity/special-wallet';
export const byWallet = z.object({ walletPublicKey: walletAddressSchema });
export const order = z.enum(['ASC', 'DESC']).optional();

/** The value is in seconds. Absent and 0 mean no wait. */
const wait = maybe(decimal.transform(Number).pipe(z.number().positive()));

const runningJob = z.unknown().transform((value) => {
  if (typeof value !== 'object' || value === null) return undefined;
  const read = reader(value);
  return { id: read.get('jobId', words), status: read.get('jobStatus', words) };
});

const freshness = {
  holdingsLastUpdate: maybe(moment),
  historySyncStatus: maybe(words),
  refreshLimited: maybe(flag),
  refreshRetryAfterSeconds: wait,
};
const named = (row: z.output<z.ZodObject<typeof freshness>>) => ({
  /** Undefined if there is no snapshot. */
  snapshotAt: row.holdingsLastUpdate,
  historySync: row.historySyncStatus,
  limited: row.refreshLimited === true,
  /** Counted from the arrival of the response. */
  retryAfterSeconds: row.refreshRetryAfterSeconds,
});

export const walletOverview = get({
  id: 'wallets.overview',
  path: `${PREFIX}/overview`,
  spec: '§4.3',
  input: byWallet.extend({ slug: z.string().min(1).optional() }),
  freshFor: MINUTE,
  data: z
    .object({
      ...freshness,
      totalVolume: maybe(decimal),
      totalTrades: maybe(count),
      totalUniqueProposals: maybe(count),
      avgTradeSize: maybe(decimal),
      medianTradeSize: maybe(decimal),
      maxTradeSize: maybe(decimal),
      walletCreationTime: maybe(moment),
      walletValue: maybe(decimal),
      unpricedTokenCount: maybe(count),
      balanceRefreshStatus: maybe(words),
      refreshJob: runningJob.optional(),
    })
    .transform((row) => ({
      ...named(row),
      /** The value is in USD, for decision markets. */
      volume: row.totalVolume,
      trades: row.totalTrades,
      proposals: row.totalUniqueProposals,
      averageTrade: row.avgTradeSize,
      medianTrade: row.medianTradeSize,
      largestTrade: row.maxTradeSize,
      createdAt: row.walletCreationTime,
      value: row.walletValue,
      unpriced: row.unpricedTokenCount,
      job: row.refreshJob,
    })),
});
export type WalletOverview = z.output<typeof walletOverview.data>;

export const walletHoldingsOverview = get({
  id: 'wallets.holdings-overview',
  path: `${PREFIX}/holdings/overview`,
  spec: '§4.3',
  input: byWallet,
  freshFor: MINUTE,
  data: z
    .object({
      ...freshness,
      totalAssets: maybe(count),
      ownershipCoinsValue: maybe(decimal),
      otherValue: maybe(decimal),
      walletValue: maybe(decimal),
      ownershipSharePercent: maybe(decimal),
      nativeBalance: maybe(decimal),
      nativeValue: maybe(decimal),
      unpricedTokenCount: maybe(count),
    })
    .transform((row) => ({
      ...named(row),
      assets: row.totalAssets,
      /** The value is in USD. */
      coins: row.ownershipCoinsValue,
      others: row.otherValue,
      value: row.walletValue,
      /** The value is in percent. */
      coinShare: row.ownershipSharePercent,
      native: row.nativeBalance,
      nativeValue: row.nativeValue,
      unpriced: row.unpricedTokenCount,
    })),
});

const holding = z
  .object({
    tokenAddress: words,
    tokenSymbol: maybe(words),
    tokenName: maybe(words),
    projectName: maybe(words),
    projectSlug: maybe(words),
    balance: decimal,
    usdPrice: maybe(marketPrice),
    holderRank: maybe(count),
    percentageOfTotalSupply: maybe(decimal),
    value: maybe(decimal),
    basketSharePercent: maybe(decimal),
    syncedAt: maybe(moment),
  })
  .transform((row) => ({
    token: row.tokenAddress,
    symbol: row.tokenSymbol,
    name: row.projectName ?? row.tokenName,
    slug: row.projectSlug,
    balance: row.balance,
    price: row.usdPrice,
    /** 1 is the largest holder. */
    rank: row.holderRank,
    /** The value is in percent. */
    ofSupply: row.percentageOfTotalSupply,
    value: priced(row.usdPrice, row.value),
    basketShare: row.basketSharePercent,
    syncedAt: row.syncedAt,
  }));
export type WalletHolding = z.output<typeof holding>;

export const walletHoldings = list({
  id: 'wallets.holdings',
  path: `${PREFIX}/holdings`,
  spec: '§4.3',
  input: byWallet.extend({
    ...paging,
    search: z.string().optional(),
    sort: z.enum(['value', 'balance', 'holderRank', 'projectName', 'basketShare']).optional(),
    order,
  }),
  freshFor: MINUTE,
  dated: 'oldest-row',
  row: holding,
});

const changeFields = z.object({ openingBalance: decimal, closingBalance: decimal, percentChange: maybe(decimal) });
const change = z
  .unknown()
  .transform((value) => changeFields.safeParse(value).data)
  // The service sends null for a period without transfers.
  .optional();

export const walletTokenFlow = get({
  id: 'wallets.token-flow',
  path: `${PREFIX}/token-flow-chart`,
  spec: '§4.3',
  input: byWallet.extend({
    tokenAddress: z.string().min(1),
    interval: z.enum(['hour', 'day', 'week', 'month']).optional(),
    days: z.int().min(1).optional(),
    from: z.int().optional(),
    to: z.int().optional(),
  }),
  freshFor: MINUTE,
  data: z
    .object({
      tokenSymbol: maybe(words),
      interval: maybe(words),
      from: maybe(moment),
      to: maybe(moment),
      totalInflowAmount: maybe(decimal),
      totalOutflowAmount: maybe(decimal),
      netAmount: maybe(decimal),
      points: z.array(z.unknown()).catch([]),
      holderRank: maybe(count),
    })
    .transform((row) => {
      const points = readable(row.points, flowPoint);
      return {
        symbol: row.tokenSymbol,
        interval: row.interval,
        from: row.from,
        to: row.to,
        inflow: row.totalInflowAmount,
        outflow: row.totalOutflowAmount,
        net: row.netAmount,
        rank: row.holderRank,
        points,
        broken: row.points.length - points.length,
      };
    }),
});

const flowPoint = z
  .object({
    timestamp: moment,
    acquired: maybe(decimal),
    reduced: maybe(decimal),
    netAccumulation: maybe(decimal),
    valueUsd: maybe(decimal),
    position: change,
  })
  .transform((row) => ({
    at: row.timestamp,
    acquired: row.acquired,
    reduced: row.reduced,
    net: row.netAccumulation,
    usd: row.valueUsd,
    /** Undefined for a period without transfers. */
    position: row.position && {
      opening: row.position.openingBalance,
      closing: row.position.closingBalance,
      change: row.position.percentChange,
    },
  }));

/** Requires the job id (§2.7). */
const started = z
  .object({ jobId: words, status: maybe(words), alreadyRunning: maybe(flag), snapshotRefreshed: maybe(flag) })
  .transform((row) => ({ jobId: row.jobId, status: row.status, alreadyRunning: row.alreadyRunning === true }));

export const refreshHoldings = post({
  id: 'wallets.refresh',
  path: `${PREFIX}/holdings/refresh`,
  spec: '§4.3',
  input: byWallet,
  data: started,
});

export const refreshToken = post({
  id: 'wallets.refresh-token',
  path: `${PREFIX}/holdings/project/refresh`,
  spec: '§4.3',
  input: byWallet.extend({ tokenAddress: z.string().min(1) }),
  data: started,
});

const progress = z
  .object({
    totalMints: maybe(count),
    processedMints: maybe(count),
    processedAccounts: maybe(count),
    incompleteAccounts: maybe(count),
    scannedTransactions: maybe(count),
  })
  .catch(() => ({}));

export const refreshStatus = get({
  id: 'wallets.refresh-status',
  path: `${PREFIX}/holdings/refresh-status`,
  spec: '§4.3',
  input: z.object({ jobId: z.string().min(1) }),
  // A cached job state would hide its progress.
  freshFor: 0,
  dated: 'record',
  data: z
    .object({
      status: maybe(words),
      progress: progress.optional(),
      finishedAt: maybe(moment),
      holdingsLastUpdate: maybe(moment),
      error: maybe(words),
    })
    .transform((row) => ({
      /** `queued`, `running` or `completed`. */
      status: row.status,
      tokens: row.progress?.totalMints,
      tokensDone: row.progress?.processedMints,
      transactions: row.progress?.scannedTransactions,
      /** Accounts with unfinished history. Another refresh continues with them. */
      incomplete: row.progress?.incompleteAccounts ?? 0,
      snapshotAt: row.holdingsLastUpdate,
      /** Set for a failed job, whatever its `status`. */
      error: row.error,
    })),
});
export type RefreshStatus = z.output<typeof refreshStatus.data>;
