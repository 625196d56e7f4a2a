/** The TWAP pass edge against its threshold. */
import { INTERVALS, proposalThreshold } from '../../src/analytics/endpoints/proposals-market.js';
import { absolute } from '../../src/domain/decimal.js';
import type { Line } from '../../src/chat/reply.js';
import { percent, pointsText } from '../../src/domain/format.js';
import { phaseOf } from '../../src/domain/market-phase.js';
import { commandLine } from '../../src/replies/command-line.js';
import { ages } from '../../src/replies/age.js';
import { brokenRows, dotted } from '../../src/replies/blocks.js';
import { choiceActions } from '../../src/replies/choices.js';
import { edgeText, marginOf, wouldPass } from './pass-state.js';
import { pointsOf, titleOf, type ProposalView } from './view.js';

export const threshold: ProposalView = async ({ analytics, proposal, interval, now, signal }) => {
  const { publicKey, row } = proposal;
  const answer = await analytics.call(proposalThreshold, { publicKey, timeInterval: interval }, { signal });
  const { rows, broken } = answer.data;
  const level = answer.data.threshold ?? row.threshold;
  const known = rows.filter(({ at, edge }) => at !== undefined && edge !== undefined).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const last = known.at(-1);
  const title = titleOf(proposal);
  const over = ['passed', 'failed'].some((phase) => phase === phaseOf(row));
  const margin = marginOf({ passEdge: last?.edge, threshold: level, margin: undefined });
  const distance = margin === undefined ? '' : `, ${pointsText(absolute(margin))} ${wouldPass(margin) ? 'above' : 'below'} the threshold`;
  const finding =
    last === undefined
      ? `${title}: its TWAP window has no edge yet`
      : `${title}: ${edgeText({ passEdge: last.edge, threshold: level }, over) ?? ''}`;
  const end: Line | undefined = row.endsAt === undefined ? undefined : [row.endsAt <= now ? 'ended ' : 'ends ', { at: row.endsAt }];
  const edges = known.map(({ edge }) => Number(edge));
  return {
    tone: margin === undefined ? 'plain' : wouldPass(margin) ? 'up' : 'down',
    finding: [{ strong: finding }, distance],
    ...(last === undefined
      ? {}
      : {
          chart: {
            kind: 'xy' as const,
            title: finding,
            series: [
              { name: 'TWAP pass edge', draw: 'line' as const, unit: 'percent' as const, points: pointsOf(rows, ({ edge }) => edge) },
            ],
            levels: level === undefined ? [] : [{ name: `needed ${percent(level)}`, value: Number(level) }],
          },
        }),
    blocks: [
      {
        kind: 'figures',
        items:
          last === undefined
            ? [{ label: 'needed', value: percent(level) }]
            : [
                { label: over ? 'final' : 'now', value: percent(last.edge) },
                { label: 'needed', value: percent(level) },
                { label: 'lowest', value: percent(known.find(({ edge }) => Number(edge) === Math.min(...edges))?.edge) },
                { label: 'highest', value: percent(known.find(({ edge }) => Number(edge) === Math.max(...edges))?.edge) },
              ],
      },
      ...(row.twapStartsAt === undefined
        ? []
        : [
            {
              kind: 'line' as const,
              line: dotted([row.twapStartsAt <= now ? 'TWAP window opened ' : 'TWAP window opens ', { at: row.twapStartsAt }], end),
            },
          ]),
      ...brokenRows(broken),
    ],
    actions: choiceActions(INTERVALS, interval, (other) => commandLine('proposal', publicKey, 'threshold', other)),
    ...ages(answer),
  };
};
