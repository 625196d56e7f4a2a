/** Phase of a decision market. Unknown words are kept. */

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
