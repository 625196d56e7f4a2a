/** Hourly net amount behind pass: pass minus fail. */
import { proposalConviction } from '../../src/analytics/endpoints/proposals-analytics.js';
import { absolute, compare, isNegative, isZero, sum as total } from '../../src/domain/decimal.js';
import { clockTime, usd } from '../../src/domain/format.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';
import { ages, brokenRows } from '../../src/reply/index.js';
import { windowOf } from './price.js';
import { pointsOf, titleOf, type ProposalView } from './view.js';

const MAX_ROWS = 8;
const ZERO = decimal('0');
const signed = (value: Decimal | undefined): string =>
  value === undefined || isNegative(value) || isZero(value) ? usd(value) : `+${usd(value)}`;

export const conviction: ProposalView = async ({ analytics, proposal, now, zone, signal }) => {
  const answer = await analytics.call(proposalConviction, { publicKey: proposal.publicKey }, { signal });
  const { rows, broken } = answer.data;
  const known = rows.filter(({ at, net }) => at !== undefined && net !== undefined).toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
  // Computed here if the service gives no sums; with a missing row that would not be a sum.
  const net = known.find(({ sum }) => sum !== undefined)?.sum ?? (broken > 0 ? undefined : total(known.flatMap((row) => row.net ?? [])));
  const title = titleOf(proposal);
  const finding =
    known.length === 0
      ? `${title}: no trades yet`
      : net === undefined
        ? `${title}: net volume by hour`
        : `${title}: ${usd(absolute(net))} net for ${isNegative(net) ? 'fail' : 'pass'}`;
  const part = (sign: number) => (row: { readonly net?: Decimal | undefined }) =>
    row.net === undefined ? undefined : compare(row.net, ZERO) * sign > 0 ? row.net : ZERO;
  const sums = known.some(({ sum }) => sum !== undefined);
  // On one axis with the cumulative sum the hourly values would be invisible.
  const hours = { draw: 'bar' as const, unit: 'usd' as const, stack: 'hours', axis: sums ? ('below' as const) : ('left' as const) };
  return {
    tone: net === undefined || isZero(net) ? 'plain' : isNegative(net) ? 'down' : 'up',
    finding: [{ strong: finding }],
    ...(known.length === 0
      ? {}
      : {
          chart: {
            kind: 'xy' as const,
            title: finding,
            subtitle: 'USD for pass minus USD for fail, per hour',
            series: [
              { ...hours, name: 'for pass', tone: 'up' as const, points: pointsOf(rows, part(1)) },
              { ...hours, name: 'for fail', tone: 'down' as const, points: pointsOf(rows, part(-1)) },
              ...(sums ? [{ name: 'total', draw: 'line' as const, unit: 'usd' as const, points: pointsOf(rows, ({ sum }) => sum) }] : []),
            ],
            spans: windowOf(proposal.row, now),
          },
        }),
    blocks: [
      {
        kind: 'table',
        columns: [{ title: 'Hour' }, { title: 'Net for pass', align: 'right' }, { title: 'Total', align: 'right' }],
        rows: known
          .slice(0, MAX_ROWS)
          .map((row) => [row.at === undefined ? 'n/a' : clockTime(row.at, now, zone), signed(row.net), signed(row.sum)]),
        more: Math.max(0, known.length - MAX_ROWS),
      },
      ...brokenRows(broken),
    ],
    ...ages(answer),
  };
};
