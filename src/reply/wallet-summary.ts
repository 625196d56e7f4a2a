/** Sums up a wallet, and warns when its value differs from its parts. */
import type { z } from 'zod';
import type { Answer } from '../analytics/analytics.js';
import { shortKey, type RefreshStanding } from '../domain/wallet.js';
import type { ProjectViewDeps, ViewReply } from './views.js';
import { neverRead, snapshotLines, walletTitle, type NamedWallet } from './wallets.js';
import { walletHoldings, walletHoldingsOverview, walletOverview, type WalletHolding } from '../analytics/endpoints/wallets.js';
import type { BlockDraft, Line } from '../chat/reply.js';
import { amount, share, usd } from '../domain/format.js';
import { brokenRows, counted, crossCheck, differ, dotted, wholeSum } from './blocks.js';
import { ages, missingText, optional } from './answers.js';

export interface WalletViewDeps extends Omit<ProjectViewDeps, 'project'> {
  readonly wallet: NamedWallet;
  readonly of: string | undefined;
  readonly maxAge: number;
  readonly standing: RefreshStanding;
  readonly zone: string | undefined;
}

export interface WalletViewReply extends ViewReply {
  /** The service has no snapshot of the wallet. */
  readonly unread?: boolean;
}

/** Rejects with an `AnalyticsError` when there is nothing to show. */
export type WalletView = (deps: WalletViewDeps) => Promise<WalletViewReply>;

/** Compares the value with its parts. Pass `holdings` only if one page contains all. */
export function valueChecks(
  { value, coins, others, snapshotAt }: z.output<(typeof walletHoldingsOverview)['data']>,
  holdings: Answer<z.output<(typeof walletHoldings)['data']>> | undefined,
): readonly BlockDraft[] {
  const { rows, broken } = holdings?.data ?? { rows: [], broken: 0 };
  const isWhole = broken === 0 && holdings?.meta.totalItems === rows.length;
  const listed = isWhole && snapshotAt !== undefined ? wholeSum(rows.map((row) => row.value)) : undefined;
  const all = wholeSum([listed, others]);
  return [
    // If the listed coins and the rest add up to the value, the reported coins are wrong.
    ...crossCheck(
      all !== undefined && value !== undefined && !differ(all, value) ? undefined : wholeSum([coins, others]),
      value,
      (sum, reported) => `Value reported as ${usd(reported)}, but its parts add up to ${usd(sum)}.`,
    ),
    ...crossCheck(
      listed,
      coins,
      (sum, reported) => `Ownership coins reported as ${usd(reported)}, but the listed coins add up to ${usd(sum)}.`,
    ),
  ];
}

const MAX_COINS = 5;

export const summary: WalletView = async (deps) => {
  const { analytics, wallet, signal } = deps;
  const input = { walletPublicKey: wallet.address };
  const [first, holdings, trading] = await Promise.all([
    analytics.call(walletHoldingsOverview, input, { signal }),
    optional(analytics.call(walletHoldings, { ...input, sort: 'value', order: 'DESC', limit: 10, page: 1 }, { signal })),
    optional(analytics.call(walletOverview, input, { signal })),
  ]);
  const rows = holdings.answer?.data.rows ?? [];
  // The overview is a copy from before the first snapshot, whose holdings are there already. Its value of $0 would be wrong.
  const isBehind = first.data.snapshotAt === undefined && rows.length > 0;
  const overview = isBehind ? await analytics.call(walletHoldingsOverview, input, { signal, maxAge: 0 }) : first;
  const data = overview.data.snapshotAt === undefined ? { ...overview.data, coins: undefined, others: undefined } : overview.data;
  const coins = holdings.answer === undefined ? undefined : (holdings.answer.meta.totalItems ?? rows.length);
  const unread = data.snapshotAt === undefined && rows.length === 0;
  const traded = trading.answer?.data;
  return {
    unread,
    finding: unread
      ? neverRead(wallet)
      : [
          {
            strong: `${walletTitle(wallet)} holds ${usd(data.coins)} in ${coins === undefined ? 'ownership coins' : counted(coins, 'ownership coin')}`,
          },
          ` (plus ${usd(data.others)} in other tokens${data.unpriced === undefined || data.unpriced === 0 ? '' : `, ${counted(data.unpriced, 'token')} without a price`})`,
        ],
    blocks: [
      {
        kind: 'list',
        items: rows.slice(0, MAX_COINS).map((row) => ({ line: holdingLine(row) })),
        more: Math.max(0, (coins ?? 0) - Math.min(rows.length, MAX_COINS)),
      },
      ...(holdings.answer === undefined ? [{ kind: 'line' as const, line: [`Holdings: ${missingText(holdings)}`] }] : []),
      ...brokenRows(holdings.answer?.data.broken ?? 0),
      {
        kind: 'figures',
        items:
          traded === undefined
            ? [{ label: 'Decision markets', value: missingText(trading) }]
            : [
                { label: 'Decision-market volume', value: usd(traded.volume) },
                { label: 'trades', value: traded.trades === undefined ? 'n/a' : String(traded.trades) },
                { label: 'proposals', value: traded.proposals === undefined ? 'n/a' : String(traded.proposals) },
                { label: 'largest trade', value: usd(traded.largestTrade) },
              ],
      },
      ...valueChecks(data, holdings.answer),
      ...snapshotLines(data, deps),
    ],
    ...ages(overview, holdings.answer, trading.answer),
  };
};

const holdingLine = ({ symbol, token, balance, value, rank, ofSupply }: WalletHolding): Line =>
  dotted(
    [{ strong: `${symbol ?? shortKey(token)} ${amount(balance)}` }],
    usd(value),
    rank === undefined ? undefined : `rank ${rank}`,
    ofSupply === undefined ? undefined : `${share(ofSupply)} of supply`,
  );
