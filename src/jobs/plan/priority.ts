/** What is at stake in a look: how often news was there, who waits for it, and what is under way. Pure. */
import type { CheckRecord } from '../../alerts/checks/check-records.js';
import { DAY, SECOND, later, type Instant } from '../../base/clock.js';
import type { PriorityWindow } from '../../feeds/feed.js';

/** News counts half as much after this. */
const HALF_LIFE = 14 * DAY;

/** One look that brought a flood says less about the next month than many that brought something. */
const MOST_AT_ONCE = 10;

/** How much news there was, each fading with time, after another look that brought so many. */
export function fading(before: Pick<CheckRecord, 'changes' | 'okAt'> | undefined, { now, news }: { now: Instant; news: number }): number {
  const age = before?.okAt === undefined ? 0 : Math.max(0, now - before.okAt);
  return (before?.changes ?? 0) * 2 ** (-age / HALF_LIFE) + Math.min(MOST_AT_ONCE, news);
}

/** News a millisecond that may be expected there, from what was seen: fading counts add up to a rate times the mean life of what is counted. */
export const eventRate = (record: Pick<CheckRecord, 'changes'> | undefined): number =>
  ((record?.changes ?? 0) + 0.5) / (HALF_LIFE / Math.LN2);

/** How much more a moment matters while something is under way. */
const WORTH = {
  /** Nothing is. */
  calm: 1,
  /** A market trades, or a launch takes contributions. */
  live: 8,
  /** What is decided now: a market's TWAP window, a launch's last hours, or a result that must appear any moment. */
  decisive: 25,
} as const;

/** A result that has not come so long after the end will come at its own time. */
const RESULT_AWAITED = DAY;

export function worthOf(stake: PriorityWindow, now: Instant): number {
  const { decisiveFrom, endsAt } = stake;
  if (endsAt !== undefined && now > later(endsAt, RESULT_AWAITED)) return WORTH.calm;
  if (endsAt !== undefined && now >= endsAt) return WORTH.decisive;
  return decisiveFrom !== undefined && now >= decisiveFrom ? WORTH.decisive : WORTH.live;
}

/** What the service does not have for a project (a launch that is no project yet) matters little. */
const ABSENT = 0.01;

/** News expected of a look at the whole service, before any was seen; of one at a project or a wallet it is 1. */
const WIDE = 5;

/** The weight of a look: how often news may be expected, times what is under way, times who waits. Above 0. */
export function weightOf(
  record: Pick<CheckRecord, 'changes' | 'priorityWindows'> | undefined,
  { watchers, now, absent = false, wide = false }: { watchers: number; now: Instant; absent?: boolean; wide?: boolean },
): number {
  const expected = (wide ? WIDE : 1) + (record?.changes ?? 0);
  const worth = Math.max(WORTH.calm, ...(record?.priorityWindows ?? []).map((stake) => worthOf(stake, now)));
  const audience = 1 + Math.log2(Math.max(1, watchers));
  return expected * worth * audience * (absent ? ABSENT : 1);
}

/** The service needs a moment to show what a date announced. */
const SLACK = 30 * SECOND;

/** The first moment after the last look at which something is known to change of itself. */
export function scheduledCheck(record: Pick<CheckRecord, 'priorityWindows' | 'triedAt'>): Instant | undefined {
  const moments = (record.priorityWindows ?? []).flatMap(({ decisiveFrom, endsAt }) => [decisiveFrom, endsAt]);
  return moments
    .flatMap((moment) => (moment === undefined || later(moment, SLACK) <= record.triedAt ? [] : [later(moment, SLACK)]))
    .toSorted((a, b) => a - b)[0];
}
