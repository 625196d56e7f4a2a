/** Balance of volume; its unit is unknown. */
import { INTERVALS, proposalFlow } from '../../src/analytics/endpoints/proposals-market.js';
import { absolute, isNegative, isZero } from '../../src/domain/decimal.js';
import { amount, clockTime } from '../../src/domain/format.js';
import type { Decimal } from '../../src/domain/scalars.js';
import { commandLine, choiceActions, ages, brokenRows } from '../../src/reply/index.js';
import { windowOf } from './price.js';
import { pointsOf, titleOf, type ProposalView } from './view.js';

const MAX_ROWS = 8;
const signed = (value: Decimal | undefined): string =>
  value === undefined || isNegative(value) || isZero(value) ? amount(value) : `+${amount(value)}`;

export const flow: ProposalView = async ({ analytics, proposal, interval, now, zone, signal }) => {
  const { publicKey, row } = proposal;
  const answer = await analytics.call(proposalFlow, { publicKey, timeInterval: interval }, { signal });
  const { rows, broken } = answer.data;
  const known = rows.filter(({ at }) => at !== undefined).toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
  const last = known.find(({ sum }) => sum !== undefined)?.sum;
  const title = titleOf(proposal);
  const leans =
    last === undefined ? 'no volume yet' : isZero(last) ? 'volume is balanced' : `more volume for ${isNegative(last) ? 'fail' : 'pass'}`;
  const finding = `${title}: ${leans}`;
  return {
    tone: last === undefined || isZero(last) ? 'plain' : isNegative(last) ? 'down' : 'up',
    finding: [{ strong: finding }, last === undefined || isZero(last) ? '' : `, by ${amount(absolute(last))} in total`],
    ...(known.length === 0
      ? {}
      : {
          chart: {
            kind: 'xy' as const,
            title: finding,
            subtitle: 'above zero: more volume for pass',
            series: [
              { name: 'total', draw: 'line' as const, unit: 'count' as const, points: pointsOf(rows, ({ sum }) => sum) },
              {
                name: 'per interval',
                draw: 'bar' as const,
                unit: 'count' as const,
                axis: 'below' as const,
                tone: 'quiet' as const,
                points: pointsOf(rows, ({ tilt }) => tilt),
              },
            ],
            spans: windowOf(row, now),
          },
        }),
    blocks: [
      {
        kind: 'table',
        columns: [{ title: 'From' }, { title: 'Net for pass', align: 'right' }, { title: 'Total', align: 'right' }],
        rows: known
          .slice(0, MAX_ROWS)
          .map(({ at, tilt, sum }) => [at === undefined ? 'n/a' : clockTime(at, now, zone), signed(tilt), signed(sum)]),
        more: Math.max(0, known.length - MAX_ROWS),
      },
      ...brokenRows(broken),
    ],
    actions: choiceActions(INTERVALS, interval, (other) => commandLine('proposal', publicKey, 'flow', other)),
    ...ages(answer),
  };
};
