/** This module returns proposals as past checks would have read them. It is pure. */
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import { instant, later, type Instant } from '../base/clock.js';
import { phaseOf } from '../domain/market-phase.js';
import type { PastSnapshots } from './feed.js';
import type { MarketRow } from './market-values.js';
import type { CoursePoint, PastCourse } from './proposal-rows.js';
import type { HistoryGap, PastContext } from './history.js';
import { noticeFrom, wasLive } from './proposal-stages.js';

/** The newest snapshots are kept. */
const MAX_SNAPSHOTS = 2_000;

interface PastPeriod extends Pick<PastContext, 'from' | 'now'> {
  /** Why a start may be missing, as text that continues a sentence, or empty. */
  readonly unread?: string;
  /** Past values of markets. */
  readonly courses?: readonly PastCourse[];
}

type PastProposals = Pick<PastSnapshots<readonly MarketRow[]>, 'snapshots' | 'since' | 'gaps'>;

/** Returns a snapshot for each time at which a proposal reached a stage or a market has a value. */
export function pastProposals(rows: readonly ProposalRow[], period: PastPeriod): PastProposals {
  const { from, now, courses = [] } = period;
  const changing = new Map<Instant, MarketRow[]>();
  const add = (row: MarketRow, at: Instant): void => {
    const changed = changing.get(at) ?? [];
    changed.push(row);
    changing.set(at, changed);
  };
  const dates: Instant[] = [];
  for (const row of rows) {
    const moments = momentsOf(row, now);
    dates.push(...moments);
    const within = [...new Set(moments)].filter((at) => at >= from).toSorted((a, b) => a - b);
    const [first] = within;
    // The creation has no date, so a check just before the first stage has seen the proposal.
    if (first !== undefined && row.createdAt === undefined)
      add({ ...row, status: 'draft', result: undefined, startsAt: undefined }, later(first, -1));
    const states = new Map<Instant, MarketRow>(within.map((at) => [at, rowAt(row, at, now)]));
    const course = courses.find(({ publicKey }) => publicKey === row.publicKey);
    for (const point of pointsOf(course)) {
      const state = states.get(point.at);
      // A check reads a market once, so values of the same time are added to its row: a second row would be ignored.
      if (point.at >= from && (state === undefined || isOpen(state))) states.set(point.at, measuredAt(row, course, point));
    }
    for (const [at, state] of states) add(state, at);
  }
  const ordered = [...changing].toSorted(([a], [b]) => a - b);
  const kept = ordered.slice(-MAX_SNAPSHOTS);
  const [cutAt] = kept.length < ordered.length ? (kept[0] ?? []) : [];
  const earliest = dates.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return {
    since: cutAt ?? (dates.length === 0 ? undefined : instant(earliest)),
    snapshots: kept.map(([at, data]) => ({ data, at, complete: false, hidden: 0, broken: 0 })),
    gaps: gapsOf(rows, period),
  };
}

/** Returns when a proposal reached its stages, as far as its dates show. */
function datesOf(row: ProposalRow, now: Instant) {
  const { twapStartsAt, endsAt } = row;
  const phase = phaseOf(row);
  const isMarket = phase === 'live' || isDecided(row);
  // A market that was live cannot have a start in the future.
  const begun = row.startsAt !== undefined && row.startsAt <= now ? row.startsAt : undefined;
  const startsAt = wasLive(row, now) === true ? begun : undefined;
  return {
    createdAt: row.createdAt,
    startsAt,
    twapStartsAt: isMarket && startsAt !== undefined ? twapStartsAt : undefined,
    notice: isMarket && startsAt !== undefined && endsAt !== undefined ? noticeFrom(startsAt, endsAt) : undefined,
    resultAt: resultAt(row, now),
  };
}

const isDecided = (row: ProposalRow): boolean => ['passed', 'failed'].some((phase) => phase === phaseOf(row));
const isOpen = (row: ProposalRow): boolean => [undefined, 'draft', 'live'].some((phase) => phase === phaseOf(row));

/** Returns when the result came: at the end if passed or failed, or else at the planned end at the latest. */
function resultAt(row: ProposalRow, now: Instant): Instant | undefined {
  const { endsAt } = row;
  if (isOpen(row) || endsAt === undefined) return undefined;
  if (endsAt <= now) return endsAt;
  return isDecided(row) ? undefined : now;
}

const momentsOf = (row: ProposalRow, now: Instant): readonly Instant[] =>
  Object.values(datesOf(row, now)).flatMap((at) => (at !== undefined && at <= now ? [at] : []));

function rowAt(row: ProposalRow, at: Instant, now: Instant): ProposalRow {
  const dates = datesOf(row, now);
  if (dates.resultAt !== undefined && at >= dates.resultAt) return row;
  const { startsAt } = dates;
  const status = startsAt !== undefined && at >= startsAt ? 'live' : 'draft';
  // Before its end, the market's outcome is unknown.
  return { ...row, startsAt, status, result: undefined, passEdge: undefined, margin: undefined };
}

/** Joins points of the same time: margins and prices come from different charts. */
function pointsOf(course: PastCourse | undefined): readonly CoursePoint[] {
  const points = new Map<Instant, CoursePoint>();
  for (const point of course?.points ?? []) points.set(point.at, { ...points.get(point.at), ...point });
  return [...points.values()];
}

/** Returns the row with the values of a past time. Other values of that time are unknown. */
function measuredAt(row: ProposalRow, course: PastCourse | undefined, { edge, prices }: CoursePoint): MarketRow {
  const { threshold = row.threshold } = course ?? {};
  const phase = phaseOf(row);
  const outcome = phase === 'passed' || phase === 'failed' ? phase : undefined;
  const unknown = { result: undefined, margin: undefined, volume: undefined, traders: undefined };
  return { ...row, ...unknown, status: 'live', threshold, passEdge: edge, prices, outcome };
}

/** Returns the gaps in the period: events without a date in any list. */
function gapsOf(rows: readonly ProposalRow[], { from, now, unread = '' }: PastPeriod): readonly HistoryGap[] {
  const untilOf = ({ endsAt = now }: ProposalRow): Instant => (endsAt < now ? endsAt : now);
  const among = rows.filter((row) => untilOf(row) >= from).map((row) => ({ row, dates: datesOf(row, now), was: wasLive(row, now) }));
  const gapOf = (
    lacks: (one: (typeof among)[number]) => boolean,
    { stages, says, isCounted = false }: { stages: readonly string[]; says: (count: Count) => string; isCounted?: boolean },
  ): readonly HistoryGap[] => {
    const lacking = among.filter(lacks);
    if (lacking.length === 0) return [];
    return [{ stages, missing: isCounted ? [] : lacking.map(({ row }) => untilOf(row)), says: says(countOf(lacking.length, rows.length)) }];
  };
  const isRemoved = (row: ProposalRow): boolean => !isOpen(row) && !isDecided(row);
  const otherStages = among.flatMap(({ row }) => (isRemoved(row) ? [stageOf(row)] : []));
  return [
    ...gapOf(({ dates }) => dates.createdAt === undefined, {
      stages: ['created'],
      says: ({ of, have }) => `${of} ${have} no known creation date, so their creation is not counted.`,
    }),
    ...gapOf(({ dates, was }) => was === true && dates.startsAt === undefined, {
      stages: ['live', 'ending'],
      says: ({ of, have }) => `${of} ${have} no known start, so their going live and ending soon are not counted${unread}.`,
    }),
    ...gapOf(({ was }) => was === undefined, {
      stages: ['live', 'ending'],
      says: ({ of }) => `It is not known whether ${of} went live, so that is not counted.`,
    }),
    ...gapOf(({ dates, was }) => was !== false && dates.twapStartsAt === undefined, {
      stages: ['twap'],
      says: ({ of, have }) => `${of} ${have} no known TWAP window, so its opening is not counted.`,
    }),
    ...gapOf(({ dates }) => dates.startsAt !== undefined && dates.notice === undefined, {
      stages: ['ending'],
      says: ({ of }) => `It is not known when ${of} ended, so their ending soon is not counted.`,
    }),
    ...gapOf(({ row, dates }) => isDecided(row) && dates.resultAt === undefined, {
      stages: ['passed', 'failed'],
      says: ({ of, have }) => `${of} ${have} no known end, so their results are not counted.`,
    }),
    ...gapOf(({ row, dates }) => isRemoved(row) && dates.resultAt === undefined, {
      stages: otherStages,
      says: ({ of, were }) => `${of} ${were} removed at an unknown date, which is not counted.`,
    }),
    ...gapOf(({ row, dates }) => isRemoved(row) && dates.resultAt !== undefined && dates.resultAt >= from, {
      stages: otherStages,
      says: ({ of, were }) => `${of} ${were} removed at an unknown date, which is counted at the planned end.`,
      isCounted: true,
    }),
  ];
}

function stageOf(row: ProposalRow): string {
  const phase = phaseOf(row);
  return typeof phase === 'object' ? `said ${phase.word}` : 'removed';
}

interface Count {
  /** Text such as "1 of 50 proposals". */
  readonly of: string;
  readonly have: 'has' | 'have';
  readonly were: 'was' | 'were';
}

const countOf = (count: number, total: number): Count => ({
  of: `${count} of ${total} ${total === 1 ? 'proposal' : 'proposals'}`,
  have: count === 1 ? 'has' : 'have',
  were: count === 1 ? 'was' : 'were',
});
