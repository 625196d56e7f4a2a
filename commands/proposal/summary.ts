/** Proposal in short. */
import { proposalPassEdge } from '../../src/analytics/endpoints/proposals-market.js';
import { amount, exact, percent, UNKNOWN, usd } from '../../src/domain/format.js';
import { phaseOf } from '../../src/domain/market-phase.js';
import { decimal } from '../../src/domain/scalars.js';
import { proposalTimes, passState, ages, optional } from '../../src/reply/index.js';
import { capitalised } from '../../src/base/capitalised.js';
import { titleOf, type ProposalView } from './view.js';

const number = (count: number | undefined): string => exact(count === undefined ? undefined : decimal(count));

export const summary: ProposalView = async ({ analytics, proposal, now, signal }) => {
  const { publicKey, row } = proposal;
  const phase = phaseOf(row);
  const over = phase === 'passed' || phase === 'failed';
  const end = over ? await optional(analytics.call(proposalPassEdge, { publicKey }, { signal })) : undefined;
  const last = end?.answer?.data;
  // The final edge has its own operation, which takes precedence over a list or page with an older one.
  const whole = {
    ...row,
    passEdge: last?.edge ?? row.passEdge,
    threshold: row.threshold ?? last?.threshold,
    margin: last?.edge === undefined ? row.margin : undefined,
  };
  const { tone, text: words } = passState(whole);
  const whose = row.projectName ?? row.symbol ?? row.slug;
  return {
    tone,
    finding: [{ strong: capitalised(words) }, `: ${titleOf(proposal)}${whose === undefined ? '' : ` (${whose})`}`],
    blocks: [
      { kind: 'line', line: proposalTimes(row, now) },
      {
        kind: 'figures',
        items: [
          { label: over ? 'Final pass edge' : 'Pass edge', value: percent(whole.passEdge) },
          { label: 'needs', value: percent(whole.threshold) },
          ...(last?.classification === undefined ? [] : [{ label: 'result', value: last.classification }]),
        ],
      },
      {
        kind: 'figures',
        items: [
          { label: 'Volume', value: usd(row.volume) },
          { label: 'trades', value: number(row.trades) },
          { label: 'traders', value: number(row.traders) },
          { label: 'stake', value: row.staked === undefined ? UNKNOWN : `${amount(row.staked)} of ${amount(row.stakeNeeded)}` },
        ],
      },
      { kind: 'line', line: ['Public key ', { code: publicKey }] },
    ],
    ...ages(end?.answer),
  };
};
