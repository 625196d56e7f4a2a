/** All decision-market trades of a wallet by page. */
import { walletTrades, type WalletTrade } from '../../src/analytics/endpoints/wallet-activity.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { amount, clockTime, price, UNKNOWN, usd } from '../../src/domain/format.js';
import type { Instant } from '../../src/domain/scalars.js';
import {
  latestPage,
  emptyPage,
  pageActions,
  PAGE_SIZE,
  pageText,
  commandLine,
  ages,
  brokenRows,
  counted,
  walletTitle,
  type WalletView,
} from '../../src/reply/index.js';

export const trades: WalletView = async ({ analytics, wallet, page, now, zone, signal }) => {
  const { rows, broken, paging, answers, notes } = await latestPage({
    ask: async (number) => analytics.call(walletTrades, { walletPublicKey: wallet.address, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  const where = pageText(paging);
  const who = walletTitle(wallet);
  return {
    finding: [
      {
        strong:
          rows.length === 0
            ? emptyPage(paging, { of: who, none: `${who} has no trades` })
            : `${who} made ${counted(paging.total ?? rows.length, 'decision-market trade')}`,
      },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [tradeTable(rows, { now, zone, titled: true }), ...notes, ...brokenRows(broken)],
    actions: pageActions({ ...paging, to: (other) => commandLine('wallet', wallet.address, 'trades', `page:${other}`) }),
    ...ages(...answers),
  };
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
