/** State of a proposal as text. */
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import type { Tone } from '../chat/reply.js';
import { amount, percent } from '../domain/format.js';
import { marginOf, requirement, verdict } from '../domain/pass-margin.js';
import { phaseOf } from '../domain/market-phase.js';

export interface PassState {
  readonly tone: Tone;
  readonly text: string;
}

export function passState(row: ProposalRow): PassState {
  const phase = phaseOf(row);
  if (phase === undefined) return { tone: 'plain', text: 'state n/a' };
  if (typeof phase === 'object') return { tone: 'over', text: `state "${phase.word}"` };
  if (phase === 'removed') return { tone: 'over', text: 'removed' };
  if (phase === 'draft') {
    const stake = row.staked === undefined ? '' : `, ${amount(row.staked)} of ${amount(row.stakeNeeded)} staked`;
    return { tone: 'plain', text: `draft${stake}` };
  }
  const margin = marginOf(row);
  const needs =
    margin === undefined && row.threshold !== undefined ? `, ${phase === 'live' ? 'needs' : 'needed'} ${requirement(row.threshold)}` : '';
  return { tone: phase === 'live' ? 'live' : 'over', text: `${verdict(phase, margin)}${needs}` };
}

/** "+2.1% (needs +1.5%)". */
export function edgeText({ passEdge, threshold }: Pick<ProposalRow, 'passEdge' | 'threshold'>): string | undefined {
  if (passEdge === undefined) return threshold === undefined ? undefined : `needs ${requirement(threshold)}`;
  return `${percent(passEdge)}${threshold === undefined ? '' : ` (needs ${percent(threshold)})`}`;
}
