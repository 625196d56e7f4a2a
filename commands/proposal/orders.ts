/** Trades on a proposal by page. */
import { proposalOrders } from '../../src/analytics/endpoints/proposals-market.js';
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
  orderTable,
} from '../../src/reply/index.js';
import { titleOf, type ProposalView } from './view.js';

export const orders: ProposalView = async ({ analytics, proposal, page, now, zone, signal }) => {
  const { publicKey } = proposal;
  const { rows, broken, paging, answers, notes } = await latestPage({
    ask: async (number) => analytics.call(proposalOrders, { publicKey, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  const where = pageText(paging);
  const title = titleOf(proposal);
  return {
    finding: [
      {
        strong:
          rows.length === 0
            ? emptyPage(paging, { of: title, none: `${title} has no trades yet` })
            : `${title}: ${counted(paging.total ?? rows.length, 'trade')}`,
      },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [orderTable(rows, { now, zone, titled: false }), ...notes, ...brokenRows(broken)],
    actions: [
      ...pageActions({ ...paging, to: (other) => commandLine('proposal', publicKey, 'orders', String(other)) }),
      { label: 'Trades as CSV', line: commandLine('proposal', publicKey, 'orders-csv') },
    ],
    ...ages(...answers),
  };
};
