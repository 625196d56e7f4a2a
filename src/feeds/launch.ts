/** A launch as its three lists show it together, and the stages it has reached. Completed launches name no project; their address or mint does. */
import type { CompletedLaunch, EndedLaunch, RecentLaunch } from '../analytics/endpoints/launches.js';
import { HOUR, later, type Instant } from '../base/clock.js';
import { compare } from '../domain/decimal.js';
import type { Decimal } from '../domain/scalars.js';
import { noticeFrom, type Reached } from './proposal-stage.js';

/** Amounts in dollars. */
export interface Launch {
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
  readonly holders?: number;
  /** In the graveyard: why it ended and when. */
  readonly ended?: { readonly reason?: string; readonly at?: Instant; readonly raised?: Decimal };
}

/** One launch per address; what a later list says wins over an earlier one, since lists follow a launch's life. */
export function joinLists(lists: {
  readonly recent: readonly RecentLaunch[];
  readonly completed: readonly CompletedLaunch[];
  readonly graveyard: readonly EndedLaunch[];
}): readonly Launch[] {
  const byAddress = new Map<string, Launch>();
  const add = (launch: Launch) => byAddress.set(launch.address, { ...byAddress.get(launch.address), ...known(launch) });
  for (const row of lists.recent) add(row);
  for (const row of lists.completed) add(row);
  for (const { reason, endedAt, raised, ...row } of lists.graveyard) add({ ...row, ended: { reason, at: endedAt, raised } });
  return [...byAddress.values()];
}

/** Without its unknown fields, so that they do not hide what another list says. */
const known = (launch: Launch): Launch => ({
  ...launch,
  ...Object.fromEntries(Object.entries(launch).filter(([, value]) => value !== undefined)),
});

export const endOf = ({ startedAt, runsFor }: Pick<Launch, 'startedAt' | 'runsFor'>): Instant | undefined =>
  startedAt === undefined || runsFor === undefined ? undefined : later(startedAt, runsFor);

/** A raise is said to end soon at most six hours before it does. */
const LONGEST_NOTICE = 6 * HOUR;

/** The stages a launch has reached, oldest first. A stage the service does not date carries no date. */
export function reachedStages(launch: Launch, now: Instant): readonly Reached[] {
  const state = launch.state?.toLowerCase();
  const end = endOf(launch);
  const stages: Reached[] = [];
  const begun = state !== undefined && state !== 'initialized';
  stages.push(begun ? { stage: 'live', at: launch.startedAt } : { stage: 'new', at: undefined });
  if (launch.committed !== undefined && launch.minimum !== undefined && compare(launch.committed, launch.minimum) >= 0)
    stages.push({ stage: 'minimum', at: undefined });
  if (state === 'live' && end !== undefined) {
    const notice = noticeFrom(launch.startedAt, end, LONGEST_NOTICE);
    if (notice <= now && now < end) stages.push({ stage: 'ending', at: notice });
  }
  if (begun && state !== 'live') stages.push({ stage: state, at: end !== undefined && end <= now ? end : undefined });
  if (launch.ended) stages.push({ stage: 'graveyard', at: launch.ended.at });
  return stages;
}
