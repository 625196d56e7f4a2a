/** Every ownership coin of a wallet. */
import { walletHoldings, walletHoldingsOverview } from '../../src/analytics/endpoints/wallets.js';
import { amount, price, share, usd } from '../../src/domain/format.js';
import { shortKey } from '../../src/domain/wallet.js';
import {
  commandLine,
  ages,
  optional,
  brokenRows,
  counted,
  emptyPage,
  pageActions,
  PAGE_SIZE,
  pageText,
  pagingOf,
  walletTitle,
  neverRead,
  snapshotLines,
  valueChecks,
  type WalletView,
} from '../../src/reply/index.js';

export const holdings: WalletView = async (deps) => {
  const { analytics, wallet, page, signal } = deps;
  const input = { walletPublicKey: wallet.address };
  const [answer, overview] = await Promise.all([
    analytics.call(walletHoldings, { ...input, sort: 'value', order: 'DESC', limit: PAGE_SIZE, page }, { signal }),
    optional(analytics.call(walletHoldingsOverview, input, { signal })),
  ]);
  const { rows, broken } = answer.data;
  const paging = pagingOf(answer, page);
  const where = pageText(paging);
  const unread = overview.answer !== undefined && overview.answer.data.snapshotAt === undefined && rows.length === 0;
  return {
    unread,
    finding: unread
      ? neverRead(wallet)
      : [
          {
            strong:
              rows.length === 0
                ? emptyPage(paging, { of: walletTitle(wallet), none: `${walletTitle(wallet)} holds no ownership coins` })
                : `${walletTitle(wallet)} holds ${counted(paging.total ?? rows.length, 'ownership coin')}`,
          },
          where === undefined ? '' : `, ${where}`,
        ],
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: 'Coin' },
          { title: 'Balance', align: 'right' },
          { title: 'Price', align: 'right' },
          { title: 'Value', align: 'right' },
          { title: 'Rank', align: 'right' },
          { title: '% of supply', align: 'right' },
        ],
        rows: rows.map((row) => [
          row.symbol ?? shortKey(row.token),
          amount(row.balance),
          price(row.price),
          usd(row.value),
          row.rank === undefined ? 'n/a' : String(row.rank),
          share(row.ofSupply),
        ]),
      },
      ...brokenRows(broken),
      ...(overview.answer === undefined
        ? []
        : [...valueChecks(overview.answer.data, answer), ...snapshotLines(overview.answer.data, deps)]),
    ],
    actions: pageActions({ ...paging, to: (other) => commandLine('wallet', wallet.address, 'holdings', `page:${other}`) }),
    ...ages(answer, overview.answer),
  };
};
