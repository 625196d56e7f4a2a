/** Quotes and TWAPs of both markets. */
import { proposalPrices, type PricePoint } from '../../src/analytics/endpoints/proposals-market.js';
import type { ChartDraft } from '../../src/chat/chart.js';
import { absolute, add, divide, isNegative, multiply, percentChange } from '../../src/domain/decimal.js';
import { percent, price as priceText, share } from '../../src/domain/format.js';
import { decimal, type Decimal, type Instant } from '../../src/domain/scalars.js';
import { ages, brokenRows, edgeText } from '../../src/reply/index.js';
import { isPassing, marginOf } from '../../src/domain/market-phase.js';
import { pointsOf, titleOf, type ProposalView } from './view.js';

const HUNDRED = decimal('100');

/** The threshold is negative for team-sponsored proposals. */
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
      blocks: [{ kind: 'line', line: ['No trades yet. Prices appear after the first trade.'] }, ...brokenRows(broken)],
      ...ages(answer),
    };
  const side =
    lead === undefined
      ? `at ${priceText(last.pass)}, fail at ${priceText(last.fail)}`
      : `${share(absolute(lead))} ${isNegative(lead) ? 'below' : 'above'} fail`;
  const finding = `${title}: pass trades ${side}`;
  const chart: ChartDraft = {
    kind: 'xy',
    title: finding,
    subtitle: edge && `TWAP pass edge ${edgeText({ passEdge: edge, threshold: row.threshold }) ?? ''}`,
    gap: true,
    series: [
      { name: 'pass', draw: 'line', unit: 'usd', tone: 'up', points: pointsOf(rows, ({ pass }) => pass) },
      { name: 'fail', draw: 'line', unit: 'usd', tone: 'down', points: pointsOf(rows, ({ fail }) => fail) },
      ...(average === undefined
        ? []
        : [
            { name: 'pass TWAP', draw: 'line' as const, unit: 'usd' as const, points: pointsOf(rows, ({ passTwap }) => passTwap) },
            row.threshold === undefined
              ? {
                  name: 'fail TWAP',
                  draw: 'line' as const,
                  unit: 'usd' as const,
                  tone: 'quiet' as const,
                  points: pointsOf(rows, ({ failTwap }) => failTwap),
                }
              : {
                  name: `threshold (fail TWAP ${percent(row.threshold)})`,
                  draw: 'line' as const,
                  unit: 'usd' as const,
                  tone: 'quiet' as const,
                  points: pointsOf(rows, (point) => needed(point, row.threshold)),
                },
          ]),
    ],
    spans: windowOf(row, now),
  };
  return {
    tone: margin === undefined ? 'plain' : isPassing(margin) ? 'up' : 'down',
    finding: [{ strong: finding }, edge === undefined ? ', no TWAP yet' : ''],
    chart,
    blocks: [
      {
        kind: 'figures',
        items: [
          { label: 'Pass', value: priceText(last.pass) },
          { label: 'fail', value: priceText(last.fail) },
          { label: 'spot', value: priceText(last.spot) },
        ],
      },
      {
        kind: 'figures',
        items:
          average === undefined
            ? []
            : [
                { label: 'Pass TWAP', value: priceText(average.passTwap) },
                { label: 'fail TWAP', value: priceText(average.failTwap) },
                { label: 'needs above', value: priceText(needed(average, row.threshold)) },
                { label: 'pass edge', value: percent(edge) },
              ],
      },
      ...brokenRows(broken),
    ],
    ...ages(answer),
  };
};

export const windowOf = (
  { twapStartsAt, endsAt }: { readonly twapStartsAt: Instant | undefined; readonly endsAt: Instant | undefined },
  now: Instant,
): { name: string; from: number; to: number }[] =>
  twapStartsAt === undefined || twapStartsAt > now
    ? []
    : [{ name: 'TWAP window', from: twapStartsAt, to: Math.max(twapStartsAt, endsAt ?? now) }];
