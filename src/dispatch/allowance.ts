/**
 * How many requests one person, and one chat, may cause in a day, so that nobody spends everybody's month. Counted in memory: a restart forgives, the
 * month's limit does not. What is kept already is answered all the same, because it costs nothing.
 */
import type { Analytics, CallOptions, Meter } from '../analytics/analytics.js';
import { AnalyticsError } from '../analytics/errors.js';
import { DAY, later, type Clock, type Instant } from '../base/clock.js';
import type { Address } from '../chat/address.js';
import type { Context } from './context.js';

export interface Allowance {
  /** Who pays for what is asked here; spent as soon as either the person or the chat has had enough. */
  of(asker: { readonly person: string; readonly chat: Address }): Meter;
}

export interface AllowanceLimits {
  /** Requests a day. */
  readonly person: number;
  readonly chat: number;
}

/** Without a monthly limit this only stops a script. */
const WITHOUT_LIMIT: AllowanceLimits = { person: 2_000, chat: 6_000 };
/** Of a month's plan, what one person may use a day: a tenth of what is kept for everybody's questions. */
const PERSON_PART = 0.02;
/** Fewer would not answer one evening's questions. */
const MIN_PERSON_REQUESTS = 10;
const CHAT_FACTOR = 3;

/** What a person and a chat may ask a day under a plan of so many requests a month. */
export function limitsFor(requestsPerMonth: number | undefined): AllowanceLimits {
  if (requestsPerMonth === undefined) return WITHOUT_LIMIT;
  const person = Math.min(WITHOUT_LIMIT.person, Math.max(MIN_PERSON_REQUESTS, Math.floor(requestsPerMonth * PERSON_PART)));
  return { person, chat: person * CHAT_FACTOR };
}

interface DailyCount {
  readonly since: Instant;
  readonly used: number;
}

/** Beyond so many, purses whose day is over are thrown away. */
const MAX_COUNTS = 10_000;

export function createAllowance({ clock, limits }: { clock: Clock; limits: AllowanceLimits }): Allowance {
  const counts = new Map<string, DailyCount>();
  const isOver = ({ since }: DailyCount): boolean => clock.now() < since || clock.now() >= later(since, DAY);
  const read = (key: string): DailyCount => {
    const purse = counts.get(key);
    return purse === undefined || isOver(purse) ? { since: clock.now(), used: 0 } : purse;
  };
  const count = (key: string): void => {
    const { since, used } = read(key);
    counts.set(key, { since, used: used + 1 });
    if (counts.size > MAX_COUNTS) for (const [other, purse] of counts) if (isOver(purse)) counts.delete(other);
  };

  return {
    of({ person, chat }) {
      const both = [
        { key: `person ${person}`, limit: limits.person },
        { key: `chat ${chat}`, limit: limits.chat },
      ];
      return {
        count() {
          for (const { key } of both) count(key);
        },
        spentUntil() {
          const ends = both.flatMap(({ key, limit }) => (read(key).used >= limit ? [later(read(key).since, DAY)] : []));
          return ends.toSorted((a, b) => b - a)[0];
        },
      };
    },
  };
}

/** The service, with the requests of every call paid for by this meter. */
export const metered = (analytics: Analytics, meter: Meter): Analytics => ({
  ...analytics,
  call: async (row, input, options?: CallOptions) => analytics.call(row, input, { ...options, meter }),
  walk: async (row, input, identify, options) => analytics.walk(row, input, identify, { ...options, meter }),
});

/** Refreshes, each paid for as the calls it usually costs: they go on when whoever asked has left. */
export const meteredRefreshes = (refreshes: Context['refreshes'], meter: Meter): Context['refreshes'] => ({
  ...refreshes,
  async refresh(order) {
    const until = meter.spentUntil?.();
    if (until !== undefined) {
      throw new AnalyticsError({ trouble: 'allowance-spent', row: 'refresh', detail: 'whoever asks has used up their allowance', until });
    }
    for (let calls = refreshes.cost?.(order.address) ?? 1; calls > 0; calls -= 1) meter.count();
    return refreshes.refresh(order);
  },
});
