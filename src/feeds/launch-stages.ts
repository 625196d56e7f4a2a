/** This module joins a launch from three lists, and finds its stages. */
import type { CompletedLaunch, EndedLaunch, RecentLaunch } from '../analytics/endpoints/launches.js';
import { HOUR, later, type Instant } from '../base/clock.js';
import { compare, isZero } from '../domain/decimal.js';
import type { Decimal } from '../domain/scalars.js';
import { noticeFrom, type Reached } from './proposal-stages.js';

/** A launch joined from the three lists. Amounts are in USD. */
export interface TrackedLaunch {
  readonly address: string;
  readonly slug?: string;
  readonly mint?: string;
  readonly title?: string;
  readonly symbol?: string;
  readonly state?: string;
  readonly minimum?: Decimal;
  readonly committed?: Decimal;
  readonly accepted?: Decimal;
  readonly startedAt?: Instant;
  readonly runsFor?: number;
  readonly permissionless?: boolean;
  readonly ended?: { readonly reason?: string; readonly at?: Instant; readonly raised?: Decimal };
}

/** Joins the lists. Later lists overwrite earlier ones. */
export function joinLists(lists: {
  readonly recent: readonly RecentLaunch[];
  readonly completed: readonly CompletedLaunch[];
  readonly graveyard: readonly EndedLaunch[];
}): readonly TrackedLaunch[] {
  const byAddress = new Map<string, TrackedLaunch>();
  const add = (launch: TrackedLaunch) => byAddress.set(launch.address, over(byAddress.get(launch.address), launch));
  for (const row of lists.recent) add(row);
  for (const row of lists.completed) add(row);
  for (const { reason, endedAt, raised, ...row } of lists.graveyard) add({ ...row, ended: { reason, at: endedAt, raised } });
  return [...byAddress.values()];
}

/** Overwrites a launch. Undefined fields keep the older value. */
function over(older: TrackedLaunch | undefined, newer: TrackedLaunch): TrackedLaunch {
  const silent = new Set(Object.entries(newer).flatMap(([name, value]) => (value === undefined ? [name] : [])));
  const kept = Object.entries(older ?? {}).filter(([name]) => silent.has(name));
  return { ...older, ...newer, ...Object.fromEntries(kept) };
}

export const endOf = ({ startedAt, runsFor }: Pick<TrackedLaunch, 'startedAt' | 'runsFor'>): Instant | undefined =>
  startedAt === undefined || runsFor === undefined ? undefined : later(startedAt, runsFor);

/** Maximum time before the end at which the stage `ending` begins. */
export const MAX_NOTICE = 6 * HOUR;

/** Returns the stages reached, oldest first. `at` is the service's date. */
export function reachedStages(launch: TrackedLaunch, now: Instant): readonly Reached[] {
  const state = launch.state?.toLowerCase();
  const end = endOf(launch);
  const stages: Reached[] = [];
  const begun = state !== undefined && state !== 'initialized';
  if (begun) stages.push({ stage: 'live', at: launch.startedAt });
  // A graveyard row without a state is not a new launch.
  else if (launch.ended === undefined) stages.push({ stage: 'new', at: undefined });
  if (reachedMinimum(launch)) stages.push({ stage: 'minimum', at: undefined });
  if (state === 'live' && end !== undefined) {
    const notice = noticeFrom(launch.startedAt, end, MAX_NOTICE);
    if (notice <= now && now < end) stages.push({ stage: 'ending', at: notice });
  }
  if (begun && state !== 'live') stages.push({ stage: state, at: end !== undefined && end <= now ? end : undefined });
  if (launch.ended) stages.push({ stage: 'graveyard', at: launch.ended.at });
  return stages;
}

const reachedMinimum = ({ committed, minimum }: TrackedLaunch): boolean =>
  committed !== undefined && minimum !== undefined && !isZero(minimum) && compare(committed, minimum) >= 0;
