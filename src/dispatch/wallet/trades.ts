/** Every decision-market trade of a wallet, across projects, a page at a time. */
import { walletTrades, type WalletTrade } from '../../analytics/endpoints/wallet-activity.js';
import type { BlockDraft } from '../../chat/reply.js';
import { amount, clockTime, price, UNKNOWN, usd } from '../../domain/format.js';
import type { Instant } from '../../domain/scalars.js';
import { lineOf } from '../line.js';
import { ages, brokenRows, counted, pageActions, PAGE_SIZE, pageText, pagingOf } from '../parts.js';
import { walletTitle } from '../wallets.js';
import type { View } from './view.js';

export const trades: View = async ({ analytics, wallet, page, now, signal }) => {
  const answer = await analytics.call(walletTrades, { walletPublicKey: wallet.address, limit: PAGE_SIZE, page }, { signal });
  const { rows, broken } = answer.data;
  const paging = pagingOf(answer, page);
  const where = pageText(paging);
  const who = walletTitle(wallet);
  return {
    finding: [
      {
        strong:
          rows.length === 0
            ? `${who} shows no trades${page > 1 ? ` on page ${page}` : ''}`
            : `${who} made ${counted(paging.total ?? rows.length, 'decision-market trade')}`,
      },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [tradeTable(rows, { now, titled: true }), ...brokenRows(broken)],
    actions: pageActions({ ...paging, to: (other) => lineOf('wallet', wallet.address, 'trades', `page:${other}`) }),
    ...ages(answer),
  };
};

/** Trades as rows; `titled` where they are on several proposals. */
export const tradeTable = (
  rows: readonly WalletTrade[],
  { now, titled }: { readonly now: Instant; readonly titled: boolean },
): BlockDraft => ({
  kind: 'table',
  columns: [
    { title: 'When' },
    { title: 'Trade' },
    { title: 'Size', align: 'right' },
    { title: 'Price', align: 'right' },
    { title: 'Value', align: 'right' },
    ...(titled ? [{ title: 'Proposal' }] : []),
  ],
  rows: rows.map((row) => [
    row.at === undefined ? UNKNOWN : clockTime(row.at, now),
    [row.direction, row.market].filter((word) => word !== undefined).join(' ') || UNKNOWN,
    amount(row.size),
    price(row.price),
    usd(row.value),
    ...(titled ? [row.title ?? row.publicKey ?? UNKNOWN] : []),
  ]),
});
