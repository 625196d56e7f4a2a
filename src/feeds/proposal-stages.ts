/** The stages that a proposal has reached. */
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import { HOUR, instant, type Instant } from '../base/clock.js';
import { phaseOf } from '../domain/market-phase.js';

export interface Reached {
  readonly stage: string;
  readonly at: Instant | undefined;
}

/** Of the stage `ending`. */
const MAX_NOTICE = 12 * HOUR;
const LAST_PART = 4;

export const noticeFrom = (start: Instant | undefined, end: Instant, longest = MAX_NOTICE): Instant =>
  instant(end - Math.min(longest, start === undefined ? longest : (end - start) / LAST_PART));

/** In order. `twap` and `ending` only while they are true. */
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
