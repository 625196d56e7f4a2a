/** Volume and quotes of both markets. */
import { INTERVALS, proposalMarket, proposalThreshold } from '../../src/analytics/endpoints/proposals-market.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { percentChange } from '../../src/domain/decimal.js';
import { UNKNOWN, percent, price, usd } from '../../src/domain/format.js';
import { ages, brokenRows, choiceActions, commandLine, counted, edgeText, labelledFigures, proposalTimes } from '../../src/reply/index.js';
import { pointsOf, titleOf, type ProposalView } from './view.js';
import { isPassing, marginOf, phaseOf, verdict } from '../../src/domain/market-phase.js';
import { capitalised } from '../../src/base/sentence-lists.js';

export const market: ProposalView = async ({ analytics, proposal, signal }) => {
  const answer = await analytics.call(proposalMarket, { publicKey: proposal.publicKey }, { signal });
  const { volume, trades, traders, passPrice, failPrice, spotPrice, lastTradeAt, all, ...split } = answer.data;
  const lead = passPrice === undefined || failPrice === undefined ? undefined : percentChange(failPrice, passPrice);
  const known = [volume, trades, traders, passPrice, failPrice].some((value) => value !== undefined);
  const figures: readonly BlockDraft[] = [
    {
      kind: 'figures',
      items: [
        { label: 'Pass price', value: price(passPrice) },
        { label: 'fail price', value: price(failPrice) },
        ...(lead === undefined ? [] : [{ label: 'pass vs fail', value: percent(lead) }]),
        { label: 'spot', value: price(spotPrice) },
      ],
    },
    {
      kind: 'figures',
      items: [
        { label: 'Volume on pass', value: usd(split.passMarketVolume) },
        { label: 'on fail', value: usd(split.failMarketVolume) },
        { label: 'bought', value: usd(split.buyVolume) },
        { label: 'sold', value: usd(split.sellVolume) },
      ],
    },
  ];
  return {
    finding: [
      { strong: `${titleOf(proposal)}: ${usd(volume)} traded` },
      ` in ${trades === undefined ? `${UNKNOWN} trades` : counted(trades, 'trade')} by ${traders === undefined ? `${UNKNOWN} traders` : counted(traders, 'trader')}`,
    ],
    blocks: [
      ...(known ? figures : [labelledFigures(all)]),
      ...(lastTradeAt === undefined ? [] : [{ kind: 'line' as const, line: ['Last trade ', { at: lastTradeAt }] }]),
    ],
    actions: [{ label: 'Volume as CSV', line: commandLine('proposal', proposal.publicKey, 'volume-csv') }],
    ...ages(answer),
  };
};

/** The TWAP pass edge against its threshold. */
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
    ...(last === undefined
      ? {}
      : {
          chart: {
            kind: 'xy' as const,
            title: finding,
            series: [
              { name: 'TWAP pass edge', draw: 'line' as const, unit: 'percent' as const, points: pointsOf(rows, ({ edge }) => edge) },
            ],
            levels: level === undefined ? [] : [{ name: `threshold ${percent(level)}`, value: Number(level) }],
          },
        }),
    blocks: [
      {
        kind: 'figures',
        items:
          last === undefined
            ? [{ label: 'Needs', value: percent(level) }]
            : [
                { label: over ? 'Final pass edge' : 'Pass edge', value: percent(last.edge) },
                { label: 'needs', value: percent(level) },
                { label: 'lowest', value: percent(known.find(({ edge }) => Number(edge) === Math.min(...edges))?.edge) },
                { label: 'highest', value: percent(known.find(({ edge }) => Number(edge) === Math.max(...edges))?.edge) },
              ],
      },
      { kind: 'line', line: proposalTimes(row, now) },
      ...brokenRows(broken),
    ],
    actions: choiceActions(INTERVALS, interval, (other) => commandLine('proposal', publicKey, 'threshold', other)),
    ...ages(answer),
  };
};
