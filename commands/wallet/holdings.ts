/** Every ownership coin of a wallet. */
import { walletHoldings, walletHoldingsOverview } from '../../src/analytics/endpoints/wallets.js';
import { amount, price, share, usd } from '../../src/domain/format.js';
import { shortKey } from '../../src/domain/wallet.js';
import {
  PAGE_SIZE,
  commandLine,
  countedRows,
  listPage,
  neverRead,
  optional,
  servicePage,
  snapshotLines,
  valueChecks,
  walletTitle,
  type WalletView,
} from '../../src/reply/index.js';

export const holdings: WalletView = async (deps) => {
  const { analytics, wallet, page, signal } = deps;
  const input = { walletPublicKey: wallet.address };
  const [answer, overview] = await Promise.all([
    analytics.call(walletHoldings, { ...input, sort: 'value', order: 'DESC', limit: PAGE_SIZE, page }, { signal }),
    optional(analytics.call(walletHoldingsOverview, input, { signal })),
  ]);
  const read = servicePage(answer, page);
  const who = walletTitle(wallet);
  const shown = listPage(
    { ...read, answers: [answer, overview.answer] },
    {
      found: (where) => [{ strong: `${who} holds ${countedRows(read, 'ownership coin')}` }, where],
      of: who,
      none: `${who} holds no ownership coins`,
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
          rows: read.rows.map((row) => [
            row.symbol ?? shortKey(row.token),
            amount(row.balance),
            price(row.price),
            usd(row.value),
            row.rank === undefined ? 'n/a' : String(row.rank),
            share(row.ofSupply),
          ]),
        },
      ],
      to: (other) => commandLine('wallet', wallet.address, 'holdings', `page:${other}`),
    },
  );
  const unread = overview.answer !== undefined && overview.answer.data.snapshotAt === undefined && read.rows.length === 0;
  return {
    ...shown,
    unread,
    finding: unread ? neverRead(wallet) : shown.finding,
    blocks: [
      ...shown.blocks,
      ...(overview.answer === undefined
        ? []
        : [...valueChecks(overview.answer.data, answer), ...snapshotLines(overview.answer.data, deps)]),
    ],
  };
};
