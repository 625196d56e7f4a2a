/** Reads the phase of a decision market, keeping unknown words, and computes its distance from the threshold. */
import { absolute, compare, isNegative, isZero, subtract } from './decimal.js';
import { points, pointsText, share } from './format.js';
import { decimal, type Decimal } from './scalars.js';

const PHASE_OF: Readonly<Record<string, 'draft' | 'live' | 'passed' | 'failed' | 'removed'>> = {
  draft: 'draft',
  initiated: 'draft',
  staking: 'draft',
  created: 'draft',
  live: 'live',
  active: 'live',
  pending: 'live',
  open: 'live',
  passed: 'passed',
  succeeded: 'passed',
  approved: 'passed',
  executed: 'passed',
  failed: 'failed',
  defeated: 'failed',
  rejected: 'failed',
  removed: 'removed',
  cancelled: 'removed',
  canceled: 'removed',
};

const RESOLVED = new Set(['resolved', 'completed', 'finalized', 'closed', 'ended']);

export type MarketPhase = 'draft' | 'live' | 'passed' | 'failed' | 'removed' | { readonly word: string };

export function phaseOf({ status, result }: { readonly status?: string; readonly result?: string }): MarketPhase | undefined {
  const word = status?.toLowerCase();
  const outcome = result === undefined ? undefined : PHASE_OF[result.toLowerCase()];
  if (word === undefined) return outcome;
  if (RESOLVED.has(word)) return outcome ?? { word: result ?? status ?? '' };
  return PHASE_OF[word] ?? { word: status ?? '' };
}

interface Margins {
  readonly margin?: Decimal | undefined;
  readonly passEdge?: Decimal | undefined;
  readonly threshold?: Decimal | undefined;
}

/** Returns the margin in percentage points. A margin that the service reports takes precedence. */
export const marginOf = ({ margin, passEdge, threshold }: Margins): Decimal | undefined =>
  margin ?? (passEdge === undefined || threshold === undefined ? undefined : subtract(passEdge, threshold));

/** A market exactly at its threshold does not pass. */
export const isPassing = (margin: Decimal): boolean => compare(margin, decimal('0')) > 0;

/** Returns "passing by 1.4 pts" or "failed by 3.3 pts", or the phase alone. */
export function verdict(phase: 'live' | 'passed' | 'failed', margin: Decimal | undefined): string {
  if (margin === undefined) return phase;
  const passes = isPassing(margin);
  if (phase !== 'live' && passes !== (phase === 'passed')) return `${phase}, margin ${points(margin)}`;
  const word = phase === 'live' ? (passes ? 'passing' : 'failing') : phase;
  return `${word} by ${pointsText(absolute(margin))}`;
}

/** Words the condition for passing: "pass over 1.5% above fail", "pass less than 4.0% below fail". */
export function requirement(threshold: Decimal): string {
  if (isZero(threshold)) return 'pass above fail';
  const size = share(absolute(threshold));
  return isNegative(threshold) ? `pass less than ${size} below fail` : `pass over ${size} above fail`;
}
