/** Proposal's metrics against the median of similar ones. */
import { proposalAgainst, type Metric } from '../../src/analytics/endpoints/proposals-analytics.js';
import { divide, multiply } from '../../src/domain/decimal.js';
import { amount, portion, portionOf, UNKNOWN } from '../../src/domain/format.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';
import { commandLine, UserError, ages, brokenRows } from '../../src/reply/index.js';
import { titleOf, type ProposalView } from './view.js';

/** Percentages that can be negative have no ratio. */
const RATIOS = /edge|margin|tilt|pct|percent|share|ratio/iu;

/** Percent of the median. */
function ofMedian({ metric, value, median }: Metric): Decimal | undefined {
  if (value === undefined || median === undefined || Number(median) <= 0 || RATIOS.test(metric ?? '')) return undefined;
  const ratio = divide(value, median);
  return ratio && multiply(ratio, decimal('100'));
}

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/[_-]+/gu, ' ')
    .toLowerCase();

export const against: ProposalView = async ({ analytics, proposal, signal }) => {
  const { publicKey, row } = proposal;
  const { slug } = row;
  if (slug === undefined)
    throw new UserError("I can't compare this proposal: its project is unknown. Try the project's comparables.", {
      actions: [{ label: 'Proposals', line: '/proposals' }],
    });
  const answer = await analytics.call(proposalAgainst, { publicKey, slug }, { signal });
  const { rows, broken } = answer.data;
  const compared = rows.flatMap((one) => {
    const percent = ofMedian(one);
    return percent === undefined ? [] : [{ name: wordsOf(one.metric ?? ''), percent }];
  });
  const volume = compared.find(({ name }) => /volume/u.test(name)) ?? compared[0];
  const title = titleOf(proposal);
  const finding =
    volume === undefined ? `${title}: no comparable proposals` : `${title}: ${volume.name} at ${portionOf(volume.percent, 'the median')}`;
  return {
    finding: [{ strong: finding }],
    ...(compared.length === 0
      ? {}
      : {
          chart: {
            kind: 'xy' as const,
            title: finding,
            subtitle: 'multiples of the median of comparable proposals',
            categories: compared.map(({ name }) => name),
            series: [
              {
                name: 'this proposal',
                draw: 'bar' as const,
                unit: 'count' as const,
                points: compared.map(({ percent }, index): [number, number] => [index, Number(percent) / 100]),
              },
            ],
            levels: [{ name: 'median', value: 1 }],
          },
        }),
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: 'Metric' },
          { title: 'Value', align: 'right' },
          { title: 'Median', align: 'right' },
          { title: 'vs median', align: 'right' },
        ],
        rows: rows.map((one) => {
          const percent = ofMedian(one);
          return [wordsOf(one.metric ?? UNKNOWN), amount(one.value), amount(one.median), portion(percent)];
        }),
      },
      ...brokenRows(broken),
    ],
    actions: [{ label: 'Comparables', line: commandLine('proposals', slug, 'comparables') }],
    ...ages(answer),
  };
};
