/** Shows the two markets of a proposal: quotes, TWAPs and volume, the pass edge, and the conviction. */
import {
  INTERVALS,
  proposalMarket,
  proposalPrices,
  proposalThreshold,
  type PricePoint,
} from '../../src/analytics/endpoints/proposals-market.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { absolute, add, compare, divide, isNegative, isZero, multiply, percentChange, sum as total } from '../../src/domain/decimal.js';
import { clockTime, percent, price as priceText, share, usd } from '../../src/domain/format.js';
import {
  ages,
  brokenRows,
  choiceActions,
  commandLine,
  counted,
  edgeText,
  figuresOf,
  labelledFigures,
  line,
  proposalTimes,
  right,
  tableOf,
} from '../../src/reply/index.js';
import { pointsOf, titleOf, windowOf, type ProposalView } from './view.js';
import { isPassing, marginOf, phaseOf, verdict } from '../../src/domain/market-phase.js';
import { capitalised } from '../../src/base/sentence-lists.js';
import type { ChartDraft } from '../../src/chat/chart.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';
import { proposalConviction } from '../../src/analytics/endpoints/proposals-analytics.js';

export const market: ProposalView = async ({ analytics, proposal, signal }) => {
  const answer = await analytics.call(proposalMarket, { publicKey: proposal.publicKey }, { signal });
  const { volume, trades, traders, passPrice, failPrice, spotPrice, lastTradeAt, all, ...split } = answer.data;
  const lead = passPrice === undefined || failPrice === undefined ? undefined : percentChange(failPrice, passPrice);
  const known = [volume, trades, traders, passPrice, failPrice].some((value) => value !== undefined);
  const figures: readonly BlockDraft[] = [
    figuresOf([
      ['Pass price', priceText(passPrice)],
      ['fail price', priceText(failPrice)],
      lead === undefined ? undefined : ['pass vs fail', percent(lead)],
      ['spot', priceText(spotPrice)],
    ]),
    figuresOf([
      ['Volume on pass', usd(split.passMarketVolume)],
      ['on fail', usd(split.failMarketVolume)],
      ['bought', usd(split.buyVolume)],
      ['sold', usd(split.sellVolume)],
    ]),
  ];
  return {
    finding: [
      { strong: `${titleOf(proposal)}: ${usd(volume)} traded` },
      ` in ${counted(trades, 'trade')} by ${counted(traders, 'trader')}`,
    ],
    blocks: [
      ...(known ? figures : [labelledFigures(all)]),
      ...(lastTradeAt === undefined ? [] : [line('Last trade ', { at: lastTradeAt })]),
    ],
    actions: [{ label: 'Volume as CSV', line: commandLine('proposal', proposal.publicKey, 'volume-csv') }],
    ...ages(answer),
  };
};

/** Compares the TWAP pass edge with its threshold. */
export const threshold: ProposalView = async ({ analytics, proposal, interval, now, signal }) => {
  const { publicKey, row } = proposal;
  const answer = await analytics.call(proposalThreshold, { publicKey, timeInterval: interval }, { signal });
  const { rows, broken } = answer.data;
  const level = answer.data.threshold ?? row.threshold;
  const known = rows.filter(({ at, edge }) => at !== undefined && edge !== undefined).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const last = known.at(-1);
  const title = titleOf(proposal);
  const phase = phaseOf(row);
  const over = phase === 'passed' || phase === 'failed';
  const margin = marginOf({ passEdge: last?.edge, threshold: level });
  const finding =
    last === undefined
      ? `${title}: no pass edge yet`
      : `${margin === undefined ? 'Pass edge' : capitalised(verdict(over ? phase : 'live', margin))}: ${title}`;
  const edge = last === undefined ? '' : ` · pass edge ${edgeText({ passEdge: last.edge, threshold: level }) ?? ''}`;
  const edges = known.map(({ edge }) => Number(edge));
  return {
    tone: margin === undefined ? 'plain' : isPassing(margin) ? 'up' : 'down',
    finding: [{ strong: finding }, edge],
    chart:
      last === undefined
        ? undefined
        : {
            kind: 'xy',
            title: finding,
            series: [{ name: 'TWAP pass edge', draw: 'line', unit: 'percent', points: pointsOf(rows, ({ edge }) => edge) }],
            levels: level === undefined ? [] : [{ name: `threshold ${percent(level)}`, value: Number(level) }],
          },
    blocks: [
      figuresOf(
        last === undefined
          ? [['Needs', percent(level)]]
          : [
              [over ? 'Final pass edge' : 'Pass edge', percent(last.edge)],
              ['needs', percent(level)],
              ['lowest', percent(known.find(({ edge }) => Number(edge) === Math.min(...edges))?.edge)],
              ['highest', percent(known.find(({ edge }) => Number(edge) === Math.max(...edges))?.edge)],
            ],
      ),
      line(...proposalTimes(row, now)),
      ...brokenRows(broken),
    ],
    actions: choiceActions(INTERVALS, interval, (other) => commandLine('proposal', publicKey, 'threshold', other)),
    ...ages(answer),
  };
};

const HUNDRED = decimal('100');

/** Returns the pass TWAP that is needed. The threshold is negative for team-sponsored proposals. */
const needed = ({ failTwap }: PricePoint, threshold: Decimal | undefined): Decimal | undefined => {
  const factor = threshold === undefined ? undefined : divide(add(HUNDRED, threshold), HUNDRED);
  return failTwap === undefined || factor === undefined ? undefined : multiply(failTwap, factor);
};

const latest = (points: readonly PricePoint[], fits: (point: PricePoint) => boolean): PricePoint | undefined =>
  points.filter((point) => point.at !== undefined && fits(point)).toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))[0];

export const price: ProposalView = async ({ analytics, proposal, now, signal }) => {
  const { row } = proposal;
  const answer = await analytics.call(proposalPrices, { publicKey: proposal.publicKey }, { signal });
  const { rows, broken } = answer.data;
  const last = latest(rows, ({ pass, fail }) => pass !== undefined && fail !== undefined);
  const average = latest(rows, ({ passTwap, failTwap }) => passTwap !== undefined && failTwap !== undefined);
  const lead = last?.pass === undefined || last.fail === undefined ? undefined : percentChange(last.fail, last.pass);
  const edge =
    average?.passTwap === undefined || average.failTwap === undefined ? undefined : percentChange(average.failTwap, average.passTwap);
  const margin = marginOf({ passEdge: edge, threshold: row.threshold });
  const title = titleOf(proposal);
  if (last === undefined)
    return {
      finding: [{ strong: `${title} has no prices yet` }],
      blocks: [line('No trades yet. Prices appear after the first trade.'), ...brokenRows(broken)],
      ...ages(answer),
    };
  const side =
    lead === undefined
      ? `at ${priceText(last.pass)}, fail at ${priceText(last.fail)}`
      : `${share(absolute(lead))} ${isNegative(lead) ? 'below' : 'above'} fail`;
  const finding = `${title}: pass trades ${side}`;
  return {
    tone: margin === undefined ? 'plain' : isPassing(margin) ? 'up' : 'down',
    finding: [{ strong: finding }, edge === undefined ? ', no TWAP yet' : ''],
    chart: {
      kind: 'xy',
      title: finding,
      subtitle: edge && `TWAP pass edge ${edgeText({ passEdge: edge, threshold: row.threshold }) ?? ''}`,
      gap: true,
      series: priceSeries(rows, { isAveraged: average !== undefined, threshold: row.threshold }),
      spans: windowOf(row, now),
    },
    blocks: [
      figuresOf([
        ['Pass', priceText(last.pass)],
        ['fail', priceText(last.fail)],
        ['spot', priceText(last.spot)],
      ]),
      figuresOf(
        average === undefined
          ? []
          : [
              ['Pass TWAP', priceText(average.passTwap)],
              ['fail TWAP', priceText(average.failTwap)],
              ['needs above', priceText(needed(average, row.threshold))],
              ['pass edge', percent(edge)],
            ],
      ),
      ...brokenRows(broken),
    ],
    ...ages(answer),
  };
};

const MAX_ROWS = 8;
const ZERO = decimal('0');
const signed = (value: Decimal | undefined): string =>
  value === undefined || isNegative(value) || isZero(value) ? usd(value) : `+${usd(value)}`;

type SeriesDraft = Extract<ChartDraft, { kind: 'xy' }>['series'][number];

function priceSeries(
  rows: readonly PricePoint[],
  { isAveraged, threshold: level }: { readonly isAveraged: boolean; readonly threshold: Decimal | undefined },
): readonly SeriesDraft[] {
  const series = (name: string, value: (point: PricePoint) => Decimal | undefined, tone?: SeriesDraft['tone']): SeriesDraft => ({
    name,
    draw: 'line',
    unit: 'usd',
    tone,
    points: pointsOf(rows, value),
  });
  const quotes = [series('pass', ({ pass }) => pass, 'up'), series('fail', ({ fail }) => fail, 'down')];
  if (!isAveraged) return quotes;
  return [
    ...quotes,
    series('pass TWAP', ({ passTwap }) => passTwap),
    level === undefined
      ? series('fail TWAP', ({ failTwap }) => failTwap, 'quiet')
      : series(`threshold (fail TWAP ${percent(level)})`, (point) => needed(point, level), 'quiet'),
  ];
}

/** Shows the net amount behind pass by hour: pass minus fail. */
export const conviction: ProposalView = async ({ analytics, proposal, now, zone, signal }) => {
  const answer = await analytics.call(proposalConviction, { publicKey: proposal.publicKey }, { signal });
  const { rows, broken } = answer.data;
  const known = rows.filter(({ at, net }) => at !== undefined && net !== undefined).toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
  // If the service gives no sum, it is computed here, but only if no row is missing.
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
    chart:
      known.length === 0
        ? undefined
        : {
            kind: 'xy',
            title: finding,
            subtitle: 'USD for pass minus USD for fail, per hour',
            series: [
              { ...hours, name: 'for pass', tone: 'up', points: pointsOf(rows, part(1)) },
              { ...hours, name: 'for fail', tone: 'down', points: pointsOf(rows, part(-1)) },
              ...(sums ? [{ name: 'total', draw: 'line' as const, unit: 'usd' as const, points: pointsOf(rows, ({ sum }) => sum) }] : []),
            ],
            spans: windowOf(proposal.row, now),
          },
    blocks: [
      tableOf(
        ['Hour', right('Net for pass'), right('Total')],
        known
          .slice(0, MAX_ROWS)
          .map((row) => [row.at === undefined ? 'n/a' : clockTime(row.at, now, zone), signed(row.net), signed(row.sum)]),
        Math.max(0, known.length - MAX_ROWS),
      ),
      ...brokenRows(broken),
    ],
    ...ages(answer),
  };
};
