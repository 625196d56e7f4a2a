/** Shows the ownership coins of a wallet, and how much of one came and went. */
import type { z } from 'zod';
import type { BlockDraft } from '../../src/chat/reply.js';
import type { Instant } from '../../src/domain/scalars.js';
import { walletHoldings, walletHoldingsOverview, walletTokenFlow } from '../../src/analytics/endpoints/wallets.js';
import { amount, date, exact, percent, price, share, usd } from '../../src/domain/format.js';
import { shortKey } from '../../src/domain/wallet.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  coinName,
  coinNamed,
  coinsOf,
  commandLine,
  counted,
  countedRows,
  figuresOf,
  line,
  listPage,
  neverRead,
  optional,
  right,
  servicePage,
  snapshotLines,
  tableOf,
  tokenFlowChart,
  valueChecks,
  walletTitle,
  type WalletView,
} from '../../src/reply/index.js';
import { isZero } from '../../src/domain/decimal.js';
import { lineText } from '../../src/chat/plain-text.js';

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
        tableOf(
          ['Coin', right('Balance'), right('Price'), right('Value'), right('Rank'), right('% of supply')],
          read.rows.map((row) => [
            row.symbol ?? shortKey(row.token),
            amount(row.balance),
            price(row.price),
            usd(row.value),
            row.rank === undefined ? 'n/a' : String(row.rank),
            share(row.ofSupply),
          ]),
        ),
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

type Flow = z.output<(typeof walletTokenFlow)['data']>;

const MAX_OTHERS = 4;

const flowTable = (moves: Flow['points'], interval: string, now: Instant): BlockDraft =>
  tableOf(
    [interval === 'day' ? 'Day' : `From (${interval})`, right('In'), right('Out'), right('Balance'), right('Change'), right('Net value')],
    moves
      .toReversed()
      .map(({ at, acquired, reduced, position, usd: worth }) => [
        date(at, now),
        amount(acquired),
        amount(reduced),
        amount(position?.closing),
        percent(position?.change),
        usd(worth),
      ]),
  );

/** Shows how much of a coin came and went, by day. */
export const flow: WalletView = async ({ analytics, wallet, of, now, signal }) => {
  const coins = await coinsOf(wallet.address, { analytics, signal });
  const coin = of === undefined ? coins[0] : coinNamed(of, coins);
  const who = walletTitle(wallet);
  if (coin === undefined)
    return {
      finding: [{ strong: `${who} holds no ownership coins` }],
      blocks: [line('The snapshot may be old. Try /refresh.')],
    };
  const answer = await analytics.call(walletTokenFlow, { walletPublicKey: wallet.address, tokenAddress: coin.token }, { signal });
  const { inflow, outflow, net, points, broken, interval = 'day' } = answer.data;
  // A period without a position had no movements: its balance is not 0.
  const moves = points.filter(({ position }) => position !== undefined);
  const name = coinName(coin);
  const gained = net === undefined || isZero(net) ? 'kept its' : net.startsWith('-') ? 'reduced its' : 'added to its';
  const finding = [
    { strong: `${who} ${gained} ${name}` },
    net === undefined || isZero(net) ? '' : `: ${exact(net)} ${name} net`,
    ` in the last ${windowText(answer.data)}`,
  ];
  return {
    finding,
    chart: tokenFlowChart(
      points.toSorted((a, b) => a.at - b.at),
      { title: lineText(finding, now), coin: name },
    ),
    blocks: [
      figuresOf([
        ['In', exact(inflow)],
        ['out', exact(outflow)],
        ['net', exact(net)],
        ['rank', answer.data.rank === undefined ? 'n/a' : String(answer.data.rank)],
      ]),
      flowTable(moves, interval, now),
      ...(moves.length === 0 ? [line('No transfers in this period.')] : []),
      ...brokenRows(broken),
    ],
    actions: coins
      .filter(({ token }) => token !== coin.token)
      .slice(0, MAX_OTHERS)
      .map((other) => ({ label: `Flow of ${coinName(other)}`, line: commandLine('wallet', wallet.address, 'flow', other.token) })),
    ...ages(answer),
  };
};

/** The service gives 30 days by default (§8), and one more if the first is partial. */
const DAYS = 31;

const windowText = ({
  points,
  interval = 'day',
}: {
  readonly points: readonly unknown[];
  readonly interval?: string | undefined;
}): string => counted(interval === 'day' ? Math.min(points.length, DAYS) : points.length, interval);
