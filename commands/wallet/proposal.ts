/** Wallet's trades on one proposal. */
import { walletProposal, walletProposalTrades, type TradeWindow } from '../../src/analytics/endpoints/wallet-activity.js';
import { UNKNOWN, usd } from '../../src/domain/format.js';
import { keyFault, shortKey } from '../../src/domain/wallet.js';
import {
  latestPage,
  PAGE_SIZE,
  commandLine,
  UserError,
  ages,
  missingText,
  needOne,
  optional,
  brokenRows,
  counted,
  walletTitle,
  type WalletView,
} from '../../src/reply/index.js';
import { tradeTable } from './trades.js';

export const proposal: WalletView = async ({ analytics, wallet, of, now, zone, signal }) => {
  if (of === undefined)
    throw new UserError("Which proposal? Pick one from the wallet's decision markets.", {
      actions: [{ label: 'Decision markets', line: commandLine('wallet', wallet.address, 'markets') }],
    });
  const fault = keyFault(of);
  if (fault !== undefined) throw new UserError(`That's not a proposal's public key (${fault}). Paste the full key.`);
  const input = { walletPublicKey: wallet.address, proposalPublicKey: of };
  const inWindow = async (window: TradeWindow) => optional(analytics.call(walletProposal, { ...input, window }, { signal }));
  const [before, during, list] = await Promise.all([
    inWindow('preTwap'),
    inWindow('twapWindow'),
    optional(
      latestPage({
        ask: async (number) => analytics.call(walletProposalTrades, { ...input, limit: PAGE_SIZE, page: number }, { signal }),
        page: 1,
        at: (row) => row.at,
      }),
    ),
  ]);
  needOne(before, during, list);
  const windows = [
    { title: 'Before TWAP window', one: before, done: before.answer?.data.preTwap ?? before.answer?.data.all },
    { title: 'In the TWAP window', one: during, done: during.answer?.data.twapWindow ?? during.answer?.data.all },
  ];
  const counts = windows.map(({ done }) => done?.trades);
  const rows = list.answer?.rows ?? [];
  const total = list.answer?.paging.total;
  const title = rows.find((row) => row.title !== undefined)?.title;
  return {
    finding: [
      { strong: `${walletTitle(wallet)} on ${title === undefined ? `proposal ${shortKey(of)}` : `"${title}"`}` },
      `: ${trades(counts[0])} before the TWAP window, ${trades(counts[1])} in it`,
    ],
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: 'Window' },
          { title: 'Trades', align: 'right' },
          { title: 'Volume', align: 'right' },
          { title: 'For pass', align: 'right' },
          { title: 'For fail', align: 'right' },
        ],
        rows: windows.map(({ title: name, one, done }) =>
          done === undefined
            ? [name, missingText(one), '', '', '']
            : [
                name,
                done.trades === undefined ? UNKNOWN : String(done.trades),
                usd(done.volume),
                usd(done.passVolume),
                usd(done.failVolume),
              ],
        ),
      },
      tradeTable(rows, { now, zone, titled: false }),
      ...(total !== undefined && total > rows.length && rows.length > 0
        ? [
            {
              kind: 'line' as const,
              line: [`${list.answer?.notes.length === 0 ? 'Latest ' : ''}${rows.length} of ${counted(total, 'trade')}`],
            },
          ]
        : []),
      ...(list.answer === undefined ? [{ kind: 'line' as const, line: [`Trades: ${missingText(list)}`] }] : []),
      ...(list.answer?.notes ?? []),
      ...brokenRows(list.answer?.broken ?? 0),
    ],
    actions: [{ label: 'Proposal', line: commandLine('proposal', of) }],
    ...ages(before.answer, during.answer, ...(list.answer?.answers ?? [])),
  };
};

const trades = (count: number | undefined): string => (count === undefined ? `${UNKNOWN} trades` : counted(count, 'trade'));
