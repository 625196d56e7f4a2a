/** Proposals as past checks would have read them. Pure. */
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import { instant, type Instant } from '../base/clock.js';
import { phaseOf } from '../domain/market-phase.js';
import type { PastSnapshots } from './feed.js';
import { noticeFrom } from './proposal-stages.js';

/** The newest ones. */
const MAX_SNAPSHOTS = 2_000;

/** One for each moment at which stages were reached. */
export function pastProposals(
  rows: readonly ProposalRow[],
  { from, now }: { readonly from: Instant; readonly now: Instant },
): Pick<PastSnapshots<readonly ProposalRow[]>, 'snapshots' | 'since'> {
  const changing = new Map<Instant, ProposalRow[]>();
  const dates: Instant[] = [];
  for (const row of rows) {
    const moments = momentsOf(row).filter((at) => at <= now);
    dates.push(...moments);
    for (const at of new Set(moments)) {
      if (at < from) continue;
      const changed = changing.get(at) ?? [];
      changed.push(rowAt(row, at));
      changing.set(at, changed);
    }
  }
  const ordered = [...changing].toSorted(([a], [b]) => a - b).slice(-MAX_SNAPSHOTS);
  return {
    since: dates.length === 0 ? undefined : instant(dates.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)),
    snapshots: ordered.map(([at, data]) => ({ data, at, complete: false, hidden: 0, broken: 0 })),
  };
}

function momentsOf(row: ProposalRow): readonly Instant[] {
  const { createdAt, startsAt, twapStartsAt, endsAt } = row;
  const phase = phaseOf(row);
  const begun = [createdAt ?? startsAt, startsAt].filter((at) => at !== undefined);
  if (phase === 'draft') return begun.slice(0, 1);
  const ended = endsAt === undefined ? [] : [endsAt];
  // A removed one may have ended before its planned end.
  if (phase !== 'live' && phase !== 'passed' && phase !== 'failed') return [...begun, ...ended];
  const notice = endsAt === undefined ? [] : [noticeFrom(startsAt, endsAt)];
  return [...begun, ...(twapStartsAt === undefined ? [] : [twapStartsAt]), ...notice, ...ended];
}

function rowAt(row: ProposalRow, at: Instant): ProposalRow {
  const { startsAt, endsAt } = row;
  if (endsAt !== undefined && at >= endsAt) return row;
  const status = startsAt !== undefined && at >= startsAt ? 'live' : 'draft';
  // What the market came to is not known before its end.
  return { ...row, status, result: undefined, passEdge: undefined, margin: undefined };
}
