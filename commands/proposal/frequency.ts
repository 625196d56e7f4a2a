/** Number of traders by number of trades. */
import { proposalFrequency } from '../../src/analytics/endpoints/proposals-analytics.js';
import { share } from '../../src/domain/format.js';
import { divide, multiply } from '../../src/domain/decimal.js';
import { decimal } from '../../src/domain/scalars.js';
import { ages, brokenRows, counted } from '../../src/reply/index.js';
import { titleOf, type ProposalView } from './view.js';

export const frequency: ProposalView = async ({ analytics, proposal, signal }) => {
  const answer = await analytics.call(proposalFrequency, { publicKey: proposal.publicKey }, { signal });
  const bars = answer.data.rows.flatMap(({ range, traders }) => (range === undefined || traders === undefined ? [] : [{ range, traders }]));
  const total = bars.reduce((sum, bar) => sum + bar.traders, 0);
  const most = bars.toSorted((a, b) => b.traders - a.traders)[0];
  const ofAll = (count: number) => {
    const part = divide(decimal(count), decimal(total));
    return part === undefined ? 'n/a' : share(multiply(part, decimal('100')));
  };
  const title = titleOf(proposal);
  const times = (range: string): string => `${range} ${range === '1' ? 'trade' : 'trades'}`;
  const finding =
    most === undefined || total === 0 ? `${title}: no trades yet` : `${title}: ${ofAll(most.traders)} of traders made ${times(most.range)}`;
  return {
    finding: [{ strong: finding }, total === 0 ? '' : `, ${counted(total, 'trader')} in total`],
    ...(total === 0
      ? {}
      : {
          chart: {
            kind: 'xy' as const,
            title: finding,
            subtitle: 'traders by number of trades',
            categories: bars.map(({ range }) => range),
            series: [
              {
                name: 'traders',
                draw: 'bar' as const,
                unit: 'count' as const,
                points: bars.map(({ traders }, index): [number, number] => [index, traders]),
              },
            ],
          },
        }),
    blocks: [
      {
        kind: 'table',
        columns: [{ title: 'Trades' }, { title: 'Traders', align: 'right' }, { title: 'Share', align: 'right' }],
        rows: total === 0 ? [] : bars.map(({ range, traders }) => [range, String(traders), ofAll(traders)]),
      },
      ...brokenRows(answer.data.broken),
    ],
    ...ages(answer),
  };
};
