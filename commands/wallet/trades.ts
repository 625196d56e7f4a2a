/** All decision-market trades of a wallet by page. */
import { walletTrades, type WalletTrade } from '../../src/analytics/endpoints/wallet-activity.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { amount, clockTime, price, UNKNOWN, usd } from '../../src/domain/format.js';
import type { Instant } from '../../src/domain/scalars.js';
import { PAGE_SIZE, commandLine, countedRows, latestPage, listPage, walletTitle, type WalletView } from '../../src/reply/index.js';

export const trades: WalletView = async ({ analytics, wallet, page, now, zone, signal }) => {
  const read = await latestPage({
    ask: async (number) => analytics.call(walletTrades, { walletPublicKey: wallet.address, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  const who = walletTitle(wallet);
  return listPage(read, {
    found: (where) => [{ strong: `${who} made ${countedRows(read, 'decision-market trade')}` }, where],
    of: who,
    none: `${who} has no trades`,
    blocks: [tradeTable(read.rows, { now, zone, titled: true })],
    to: (other) => commandLine('wallet', wallet.address, 'trades', `page:${other}`),
  });
};

export const tradeTable = (
  rows: readonly WalletTrade[],
  { now, zone, titled }: { readonly now: Instant; readonly zone: string | undefined; readonly titled: boolean },
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
    row.at === undefined ? UNKNOWN : clockTime(row.at, now, zone),
    [row.direction, row.market].filter((word) => word !== undefined).join(' ') || UNKNOWN,
    amount(row.size),
    price(row.price),
    usd(row.value),
    ...(titled ? [row.title ?? row.publicKey ?? UNKNOWN] : []),
  ]),
});
