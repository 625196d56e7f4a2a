/** This module finds the stages that a proposal has reached. */
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import { HOUR, instant, type Instant } from '../base/clock.js';
import { isZero } from '../domain/decimal.js';
import { phaseOf } from '../domain/market-phase.js';

export interface Reached {
  readonly stage: string;
  readonly at: Instant | undefined;
}

/** Maximum time before the end at which the stage `ending` begins. */
const MAX_NOTICE = 12 * HOUR;
const LAST_PART = 4;

export const noticeFrom = (start: Instant | undefined, end: Instant, longest = MAX_NOTICE): Instant =>
  instant(end - Math.min(longest, start === undefined ? longest : (end - start) / LAST_PART));

/** Tells whether the market was ever open; undefined if unknown. A removed proposal has a planned start, so only trades prove it. */
export function wasLive(row: ProposalRow, now: Instant): boolean | undefined {
  const { startsAt, trades, volume } = row;
  const phase = phaseOf(row);
  if (phase === 'draft') return false;
  if (phase === 'live' || phase === 'passed' || phase === 'failed') return true;
  if (phase !== 'removed') return startsAt === undefined ? undefined : startsAt <= now;
  return trades === undefined ? volume && !isZero(volume) : trades > 0;
}

/** Returns the stages reached, in order. `twap` and `ending` are included only while they hold. */
export function reached(row: ProposalRow, now: Instant): readonly Reached[] {
  const phase = phaseOf(row);
  const stages: Reached[] = [{ stage: 'created', at: row.createdAt ?? row.startsAt }];
  const hasBegun = row.startsAt !== undefined && row.startsAt <= now;
  if (phase === 'live' || (hasBegun && wasLive(row, now) === true)) stages.push({ stage: 'live', at: row.startsAt ?? row.createdAt });
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
