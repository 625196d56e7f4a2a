/** The trades on a proposal, a page at a time. */
import { proposalOrders } from '../../analytics/endpoints/proposals-market.js';
import { lineOf } from '../line.js';
import { ages, brokenRows, counted, pageActions, PAGE_SIZE, pageText, pagingOf } from '../parts.js';
import { orderTable } from '../order-table.js';
import { titleOf, type View } from './view.js';

export const orders: View = async ({ analytics, proposal, page, now, signal }) => {
  const { publicKey } = proposal;
  const answer = await analytics.call(proposalOrders, { publicKey, limit: PAGE_SIZE, page }, { signal });
  const { rows, broken } = answer.data;
  const paging = pagingOf(answer, page);
  const where = pageText(paging);
  const none = page > 1 ? `shows no trades on page ${page}` : 'has no trades yet';
  return {
    finding: [
      { strong: `${titleOf(proposal)}${rows.length === 0 ? ` ${none}` : `: ${counted(paging.total ?? rows.length, 'trade')}`}` },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [orderTable(rows, { now, titled: false }), ...brokenRows(broken)],
    actions: [
      ...pageActions({ ...paging, to: (other) => lineOf('proposal', publicKey, 'orders', String(other)) }),
      { label: 'Trades as CSV', line: lineOf('proposal', publicKey, 'orders-csv') },
    ],
    ...ages(answer),
  };
};
