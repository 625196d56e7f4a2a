/** This module weighs checks by expected events, watchers, and markets or launches in progress. */
import type { CheckRecord } from '../../alerts/checks/check-records.js';
import { DAY, SECOND, later, type Instant } from '../../base/clock.js';
import type { PriorityWindow } from '../../feeds/feed.js';

/** Time after which an event counts half. */
const HALF_LIFE = 14 * DAY;

const MAX_COUNTED_EVENTS = 10;

export function fading(
  before: Pick<CheckRecord, 'changes' | 'okAt'> | undefined,
  { now, events }: { now: Instant; events: number },
): number {
  const age = before?.okAt === undefined ? 0 : Math.max(0, now - before.okAt);
  return (before?.changes ?? 0) * 2 ** (-age / HALF_LIFE) + Math.min(MAX_COUNTED_EVENTS, events);
}

/** Factors of a check's weight while a market or launch is in progress. */
const WORTH = {
  idle: 1,
  /** A market trades, or a launch takes contributions. */
  live: 8,
  /** A TWAP window is open, a launch is in its last hours, or a result is due. */
  decisive: 25,
} as const;

const RESULT_AWAITED = DAY;

function worthOf(window: PriorityWindow, now: Instant): number {
  const { decisiveFrom, endsAt } = window;
  if (endsAt !== undefined && now > later(endsAt, RESULT_AWAITED)) return WORTH.idle;
  if (endsAt !== undefined && now >= endsAt) return WORTH.decisive;
  return decisiveFrom !== undefined && now >= decisiveFrom ? WORTH.decisive : WORTH.live;
}

const ABSENT = 0.01;

/** Factor for a global list, which has the launches of all projects. Projects and wallets have 1. */
const WIDE = 20;

/** Returns the weight of a check; above 0. */
export function weightOf(
  record: Pick<CheckRecord, 'changes' | 'priorityWindows'> | undefined,
  { watchers, now, absent = false, wide = false }: { watchers: number; now: Instant; absent?: boolean; wide?: boolean },
): number {
  const expected = (wide ? WIDE : 1) + (record?.changes ?? 0);
  const worth = Math.max(WORTH.idle, ...(record?.priorityWindows ?? []).map((window) => worthOf(window, now)));
  const audience = 1 + Math.log2(Math.max(1, watchers));
  return expected * worth * audience * (absent ? ABSENT : 1);
}

/** Time that the service needs to show a dated change. */
const SLACK = 30 * SECOND;

export function scheduledCheck(record: Pick<CheckRecord, 'priorityWindows' | 'triedAt'>): Instant | undefined {
  const moments = (record.priorityWindows ?? []).flatMap(({ decisiveFrom, endsAt }) => [decisiveFrom, endsAt]);
  return moments
    .flatMap((moment) => (moment === undefined || later(moment, SLACK) <= record.triedAt ? [] : [later(moment, SLACK)]))
    .toSorted((a, b) => a - b)[0];
}
