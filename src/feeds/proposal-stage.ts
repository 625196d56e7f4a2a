/** Where a proposal stands in its life, read from the words and dates the service gives. The words are open: an unknown one is carried as it came. */
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import { HOUR, instant, type Instant } from '../base/clock.js';

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

export type Phase = 'draft' | 'live' | 'passed' | 'failed' | 'removed' | { readonly word: string };

/** The phase a row is in; undefined where it says nothing about it. */
export function phaseOf({ status, result }: Pick<ProposalRow, 'status' | 'result'>): Phase | undefined {
  const word = status?.toLowerCase();
  const outcome = result === undefined ? undefined : PHASE_OF[result.toLowerCase()];
  if (word === undefined) return outcome;
  if (RESOLVED.has(word)) return outcome ?? { word: result ?? status ?? '' };
  return PHASE_OF[word] ?? { word: status ?? '' };
}

/** A chapter of a proposal's life that was reached, with the service's date for it where it gives one. */
export interface Reached {
  readonly stage: string;
  readonly at: Instant | undefined;
}

/** "Ends soon" is said at most this long before the end, and for a short market in its last quarter. */
const LONGEST_NOTICE = 12 * HOUR;
const LAST_PART = 4;

/** When "ends soon" begins for something that runs from `start` to `end`. */
export const noticeFrom = (start: Instant | undefined, end: Instant, longest = LONGEST_NOTICE): Instant =>
  instant(end - Math.min(longest, start === undefined ? longest : (end - start) / LAST_PART));

/**
 * Every stage a row has reached by `now`, in order. `created`, `live` and the result are told even when a look comes late; the reminders
 * (`twap`, `ending`) only while they are still true.
 */
export function reached(row: ProposalRow, now: Instant): readonly Reached[] {
  const phase = phaseOf(row);
  const stages: Reached[] = [{ stage: 'created', at: row.createdAt ?? row.startsAt }];
  const wasLive = phase === 'live' || (phase !== 'draft' && row.startsAt !== undefined && row.startsAt <= now);
  if (wasLive) stages.push({ stage: 'live', at: row.startsAt ?? row.createdAt });
  if (phase === 'live') {
    if (row.twapStartsAt !== undefined && row.twapStartsAt <= now) stages.push({ stage: 'twap', at: row.twapStartsAt });
    const notice = row.endsAt && noticeFrom(row.startsAt, row.endsAt);
    if (notice !== undefined && notice <= now && now < (row.endsAt ?? now)) stages.push({ stage: 'ending', at: notice });
  }
  if (phase === 'passed' || phase === 'failed' || phase === 'removed')
    stages.push({ stage: phase, at: row.endsAt !== undefined && row.endsAt <= now ? row.endsAt : undefined });
  if (typeof phase === 'object') stages.push({ stage: `said ${phase.word}`, at: undefined });
  return stages;
}
