/** The TWAP pass edge against its threshold. */
import { INTERVALS, proposalThreshold } from '../../src/analytics/endpoints/proposals-market.js';
import { percent } from '../../src/domain/format.js';
import { phaseOf } from '../../src/domain/market-phase.js';
import { commandLine, choiceActions, ages, brokenRows, edgeText, proposalTimes } from '../../src/reply/index.js';
import { capitalised } from '../../src/base/capitalised.js';
import { isPassing, marginOf, verdict } from '../../src/domain/pass-margin.js';
import { pointsOf, titleOf, type ProposalView } from './view.js';

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
