/** Launches a wallet contributed to. */
import { walletIcos, walletIcoTotals, type Participation } from '../../src/analytics/endpoints/wallet-activity.js';
import { amount, usd } from '../../src/domain/format.js';
import {
  commandLine,
  ages,
  missingText,
  optional,
  brokenRows,
  counted,
  doubtful,
  dotted,
  emptyPage,
  pageActions,
  PAGE_SIZE,
  pageText,
  pagingOf,
  walletTitle,
  type WalletView,
} from '../../src/reply/index.js';

export const icos: WalletView = async ({ analytics, wallet, page, signal }) => {
  const input = { walletPublicKey: wallet.address };
  const [answer, totals] = await Promise.all([
    analytics.call(walletIcos, { ...input, sort: 'contribution', order: 'DESC', limit: PAGE_SIZE, page }, { signal }),
    optional(analytics.call(walletIcoTotals, input, { signal })),
  ]);
  const { rows, broken } = answer.data;
  const paging = pagingOf(answer, page);
  const where = pageText(paging);
  const who = walletTitle(wallet);
  const sums = totals.answer?.data;
  const count = paging.total ?? sums?.icos ?? rows.length;
  return {
    finding: [
      {
        strong:
          rows.length === 0
            ? emptyPage({ ...paging, total: paging.total ?? sums?.icos }, { of: who, none: `${who} joined no ICOs` })
            : `${who} joined ${counted(count, 'ICO')}`,
      },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [
      {
        kind: 'figures',
        items: [
          { label: 'Contributed', value: sums === undefined ? missingText(totals) : usd(sums.contribution) },
          { label: 'refunded', value: sums === undefined ? missingText(totals) : usd(sums.refund) },
        ],
      },
      { kind: 'list', items: rows.map(item) },
      ...brokenRows(broken),
      ...doubtful(sums?.doubts ?? []),
    ],
    actions: pageActions({ ...paging, to: (other) => commandLine('wallet', wallet.address, 'icos', `page:${other}`) }),
    ...ages(answer, totals.answer),
  };
};

const item = ({ project, symbol, slug, launch, contribution, refund, allocation, at }: Participation) => ({
  line: [{ strong: project ?? symbol ?? slug ?? launch ?? 'an ICO' }, ` ${usd(contribution)}`],
  detail: dotted(
    `refunded ${usd(refund)}`,
    `received ${amount(allocation)}${allocation === undefined || symbol === undefined ? '' : ` ${symbol}`}`,
    at === undefined ? undefined : ['joined ', { at }],
  ),
});
