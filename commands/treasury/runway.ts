/** Runway in months, with and without liquidity. */
import { runwayBreakdown } from '../../src/analytics/endpoints/treasury.js';
import { months, usd } from '../../src/domain/format.js';
import { ages, doubtful } from '../../src/reply/index.js';
import type { TreasuryView } from './view.js';

export const runway: TreasuryView = async ({ analytics, project, timestamp, signal }) => {
  const answer = await analytics.call(runwayBreakdown, { slug: project.slug, timestamp }, { signal });
  const { data } = answer;
  return {
    finding:
      data.runway === undefined
        ? [{ strong: `${project.name}: no runway published` }]
        : [{ strong: `${project.name}'s runway: ${months(data.runway)}` }],
    blocks: [
      {
        kind: 'figures',
        items: [
          { label: 'With LP', value: months(data.runway) },
          { label: 'without LP', value: months(data.withoutLp) },
          { label: 'allowance', value: data.allowance === undefined ? 'n/a' : `${usd(data.allowance)} a month` },
        ],
      },
      ...doubtful(data.doubts),
    ],
    snapshotAt: data.at,
    ...ages(answer),
  };
};
