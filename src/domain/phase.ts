/** Where a decision market stands, from the words the service uses for it. The words are open: an unknown one is carried as it came. */

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

/** A resolved proposal says "resolved" under status and its outcome under result; anything else says it under status alone. */
const RESOLVED = new Set(['resolved', 'completed', 'finalized', 'closed', 'ended']);

export type MarketPhase = 'draft' | 'live' | 'passed' | 'failed' | 'removed' | { readonly word: string };

/** The phase that the words say; undefined where they say nothing. */
export function phaseOf({ status, result }: { readonly status?: string; readonly result?: string }): MarketPhase | undefined {
  const word = status?.toLowerCase();
  const outcome = result === undefined ? undefined : PHASE_OF[result.toLowerCase()];
  if (word === undefined) return outcome;
  if (RESOLVED.has(word)) return outcome ?? { word: result ?? status ?? '' };
  return PHASE_OF[word] ?? { word: status ?? '' };
}
