/** The state of a proposal as text. Pure. */
import type { ProposalRow } from '../../src/analytics/endpoints/proposals.js';
import type { Tone } from '../../src/chat/reply.js';
import { compare, subtract } from '../../src/domain/decimal.js';
import { amount, percent } from '../../src/domain/format.js';
import { phaseOf } from '../../src/domain/market-phase.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';

/** The pass edge minus its threshold, in percentage points. */
export const marginOf = ({ margin, passEdge, threshold }: Pick<ProposalRow, 'margin' | 'passEdge' | 'threshold'>): Decimal | undefined =>
  margin ?? (passEdge === undefined || threshold === undefined ? undefined : subtract(passEdge, threshold));

export const wouldPass = (margin: Decimal): boolean => compare(margin, decimal('0')) > 0;

export function edgeText({ passEdge, threshold }: Pick<ProposalRow, 'passEdge' | 'threshold'>, over: boolean): string | undefined {
  if (passEdge === undefined) return threshold === undefined ? undefined : `${percent(threshold)} needed`;
  return `${over ? 'final' : 'pass'} edge ${percent(passEdge)}${threshold === undefined ? '' : ` against ${percent(threshold)} needed`}`;
}

export interface PassState {
  readonly tone: Tone;
  readonly text: string;
}

export function passState(row: ProposalRow): PassState {
  const phase = phaseOf(row);
  if (phase === undefined) return { tone: 'plain', text: 'does not say how it stands' };
  if (typeof phase === 'object') return { tone: 'plain', text: `is said to be "${phase.word}"` };
  if (phase === 'removed') return { tone: 'over', text: 'was removed' };
  if (phase === 'draft') {
    const stake = row.staked === undefined ? '' : `: ${amount(row.staked)} of ${amount(row.stakeNeeded)}`;
    return { tone: 'plain', text: `is a draft that gathers stake${stake}` };
  }
  const edge = edgeText(row, phase !== 'live');
  if (phase !== 'live') return { tone: 'over', text: `${phase}${edge === undefined ? '' : `, ${edge}`}` };
  const margin = marginOf(row);
  const verdict = margin === undefined ? 'is live' : wouldPass(margin) ? 'would pass now' : 'would fail now';
  return { tone: 'live', text: `${verdict}${edge === undefined ? '' : `: ${edge}`}` };
}
