/** Summary of a wallet. */
import { walletHoldings, walletHoldingsOverview, walletOverview, type WalletHolding } from '../analytics/endpoints/wallets.js';
import type { Line } from '../chat/reply.js';
import { amount, share, usd } from '../domain/format.js';
import { shortKey } from '../domain/wallet.js';
import { ages } from './data-age.js';
import { brokenRows, counted, dotted } from './blocks.js';
import { missingText, optional } from './optional-answer.js';
import { walletTitle } from './wallet-name.js';
import { neverRead, snapshotLines } from './wallet-snapshot.js';
import { valueChecks } from './wallet-value-checks.js';
import type { WalletView } from './wallet-view.js';

const MAX_COINS = 5;

export const summary: WalletView = async (deps) => {
  const { analytics, wallet, signal } = deps;
  const input = { walletPublicKey: wallet.address };
  const [overview, holdings, trading] = await Promise.all([
    analytics.call(walletHoldingsOverview, input, { signal }),
    optional(analytics.call(walletHoldings, { ...input, sort: 'value', order: 'DESC', limit: 10, page: 1 }, { signal })),
    optional(analytics.call(walletOverview, input, { signal })),
  ]);
  const { data } = overview;
  const rows = holdings.answer?.data.rows ?? [];
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
