/** A proposal in short. */
import { proposalPassEdge } from '../../src/analytics/endpoints/proposals-market.js';
import { amount, exact, percent, points, UNKNOWN, usd } from '../../src/domain/format.js';
import { phaseOf } from '../../src/domain/market-phase.js';
import { decimal } from '../../src/domain/scalars.js';
import { proposalItem } from '../../src/replies/proposal-items.js';
import { ages } from '../../src/replies/age.js';
import { optional } from '../../src/replies/optional-answer.js';
import { marginOf, passState } from './pass-state.js';
import { titleOf, type ProposalView } from './view.js';

const number = (count: number | undefined): string => exact(count === undefined ? undefined : decimal(count));

export const summary: ProposalView = async ({ analytics, proposal, now, signal }) => {
  const { publicKey, row } = proposal;
  const phase = phaseOf(row);
  const over = phase === 'passed' || phase === 'failed';
  const end = over ? await optional(analytics.call(proposalPassEdge, { publicKey }, { signal })) : undefined;
  const last = end?.answer?.data;
  // The final edge has its own operation, which takes precedence over a list or page with an older one.
  const whole = { ...row, passEdge: last?.edge ?? row.passEdge, threshold: row.threshold ?? last?.threshold };
  const { tone, text: words } = passState(whole);
  const whose = row.projectName ?? row.symbol ?? row.slug;
  const margin = marginOf(last?.edge === undefined ? whole : { ...whole, margin: undefined });
  const { detail = [] } = proposalItem({ ...whole, passEdge: undefined, threshold: undefined, margin: undefined }, { now, named: false });
  return {
    tone,
    finding: [{ strong: `${titleOf(proposal)} ${words}` }, whose === undefined ? '' : ` (${whose})`],
    blocks: [
      { kind: 'line', line: detail },
      {
        kind: 'figures',
        items: [
          { label: phase === 'live' ? 'pass edge' : 'final edge', value: percent(whole.passEdge) },
          { label: 'needed', value: percent(whole.threshold) },
          { label: 'margin', value: points(margin) },
          ...(last?.classification === undefined ? [] : [{ label: 'classified as', value: last.classification }]),
        ],
      },
      {
        kind: 'figures',
        items: [
          { label: 'volume', value: usd(row.volume) },
          { label: 'trades', value: number(row.trades) },
          { label: 'traders', value: number(row.traders) },
          { label: 'stake', value: row.staked === undefined ? UNKNOWN : `${amount(row.staked)} of ${amount(row.stakeNeeded)}` },
        ],
      },
      { kind: 'line', line: ['public key ', { code: publicKey }] },
    ],
    ...ages(end?.answer),
  };
};
