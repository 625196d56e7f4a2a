/** How a proposal is traded: the balance of volume, who trades how often, the trades, and what stands behind each outcome. */
import { INTERVALS, proposalFlow, proposalOrders } from '../../src/analytics/endpoints/proposals-market.js';
import { absolute, add, compare, divide, isNegative, isZero, multiply } from '../../src/domain/decimal.js';
import { UNKNOWN, amount, clockTime, share, usd } from '../../src/domain/format.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  choiceActions,
  commandLine,
  counted,
  countedRows,
  labelledFigures,
  latestPage,
  listPage,
  orderTable,
} from '../../src/reply/index.js';
import { windowOf } from './price.js';
import { pointsOf, titleOf, type ProposalView } from './view.js';
import { proposalFrequency, proposalStrength } from '../../src/analytics/endpoints/proposals-analytics.js';

const MAX_ROWS = 8;
const signed = (value: Decimal | undefined): string =>
  value === undefined || isNegative(value) || isZero(value) ? amount(value) : `+${amount(value)}`;

/** The balance of volume. Its unit is unknown. */
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

/** The number of traders by number of trades. */
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

/** The trades on a proposal, page by page. */
export const orders: ProposalView = async ({ analytics, proposal, page, now, zone, signal }) => {
  const { publicKey } = proposal;
  const read = await latestPage({
    ask: async (number) => analytics.call(proposalOrders, { publicKey, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  const title = titleOf(proposal);
  return listPage(read, {
    found: (where) => [{ strong: `${title}: ${countedRows(read, 'trade')}` }, where],
    of: title,
    none: `${title} has no trades yet`,
    blocks: [orderTable(read.rows, { now, zone, titled: false })],
    to: (other) => commandLine('proposal', publicKey, 'orders', String(other)),
    actions: (pages) => [...pages, { label: 'Trades as CSV', line: commandLine('proposal', publicKey, 'orders-csv') }],
  });
};

/** The traders and the volume behind each outcome. */
export const strength: ProposalView = async ({ analytics, proposal, signal }) => {
  const answer = await analytics.call(proposalStrength, { publicKey: proposal.publicKey }, { signal });
  const { passTraders, failTraders, passVolume, failVolume, all } = answer.data;
  const total = passVolume === undefined || failVolume === undefined ? undefined : add(passVolume, failVolume);
  const ratio = total === undefined || passVolume === undefined ? undefined : divide(passVolume, total);
  const forPass = ratio && multiply(ratio, decimal('100'));
  const crowd = (count: number | undefined) => (count === undefined ? `${UNKNOWN} traders` : counted(count, 'trader'));
  const title = titleOf(proposal);
  const finding = forPass === undefined ? `${title}: traders by side` : `${title}: ${share(forPass)} of volume is for pass`;
  const known = [passTraders, failTraders, passVolume, failVolume].some((value) => value !== undefined);
  return {
    tone: forPass === undefined ? 'plain' : compare(forPass, decimal('50')) > 0 ? 'up' : 'down',
    finding: [{ strong: finding }],
    ...(passVolume === undefined || failVolume === undefined || ratio === undefined
      ? {}
      : {
          chart: {
            kind: 'shares' as const,
            title: finding,
            unit: 'usd' as const,
            parts: [
              { name: `pass, ${crowd(passTraders)}`, value: Number(passVolume) },
              { name: `fail, ${crowd(failTraders)}`, value: Number(failVolume) },
            ],
          },
        }),
    blocks: known
      ? [
          {
            kind: 'table',
            columns: [{ title: 'Side' }, { title: 'Traders', align: 'right' }, { title: 'Volume', align: 'right' }],
            rows: [
              ['pass', String(passTraders ?? UNKNOWN), usd(passVolume)],
              ['fail', String(failTraders ?? UNKNOWN), usd(failVolume)],
            ],
          },
          { kind: 'line', line: ['For pass: buying pass or selling fail. For fail: the reverse.'] },
        ]
      : [labelledFigures(all)],
    ...ages(answer),
  };
};
