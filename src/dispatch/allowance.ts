/** Limits the requests that a person and a chat cause in a day. */
import type { Analytics, CallOptions, Meter } from '../analytics/analytics.js';
import { AnalyticsError } from '../analytics/errors.js';
import { DAY, later, type Clock, type Instant } from '../base/clock.js';
import type { Address } from '../chat/address.js';
import { type WalletAddress } from '../domain/wallet.js';
import type { Context } from './context.js';

export interface Allowance {
  of(asker: { readonly person: string; readonly chat: Address }): Meter;
  /** Whether the allowance also covers the web page. Without a monthly limit it does not, because programs ask there too. */
  readonly includesPage: boolean;
}

export interface AllowanceLimits {
  /** The value is in requests per day. */
  readonly person: number;
  readonly chat: number;
}

/** These limits are high enough to stop only scripts. */
const WITHOUT_LIMIT: AllowanceLimits = { person: 2_000, chat: 6_000 };
const PERSON_PART = 0.02;
const MIN_PERSON_REQUESTS = 10;
const CHAT_FACTOR = 3;

export function limitsFor(requestsPerMonth: number | undefined): AllowanceLimits {
  if (requestsPerMonth === undefined) return WITHOUT_LIMIT;
  const person = Math.min(WITHOUT_LIMIT.person, Math.max(MIN_PERSON_REQUESTS, Math.floor(requestsPerMonth * PERSON_PART)));
  return { person, chat: person * CHAT_FACTOR };
}

interface DailyCount {
  readonly since: Instant;
  readonly used: number;
}

const MAX_COUNTS = 10_000;

export interface AllowanceDeps {
  readonly clock: Clock;
  readonly limits: AllowanceLimits;
  /** Counts requests for all processes together. */
  readonly shared?:
    | { add(counter: string, amount: number, options: { readonly limit: number; readonly ttlMs: number }): Promise<number | undefined> }
    | undefined;
}

export function createAllowance({ clock, limits, shared }: AllowanceDeps): Allowance {
  const counts = new Map<string, DailyCount>();
  const isOver = ({ since }: DailyCount): boolean => clock.now() < since || clock.now() >= later(since, DAY);
  const read = (key: string): DailyCount => {
    const purse = counts.get(key);
    return purse === undefined || isOver(purse) ? { since: clock.now(), used: 0 } : purse;
  };
  const count = (key: string, calls: 1 | -1): void => {
    const { since, used } = read(key);
    counts.set(key, { since, used: Math.max(0, used + calls) });
    if (counts.size > MAX_COUNTS) for (const [other, purse] of counts) if (isOver(purse)) counts.delete(other);
  };

  /** Resolves with undefined if the allowance is spent. While the shared store is unreachable, each process counts alone. */
  const taken = async (key: string, limit: number): Promise<number | undefined> =>
    shared?.add(`allowance/${key}`, 1, { limit, ttlMs: DAY }).catch(() => 0);

  return {
    includesPage: limits !== WITHOUT_LIMIT,
    of({ person, chat }) {
      const both = [
        { key: `person ${person}`, limit: limits.person },
        { key: `chat ${chat}`, limit: limits.chat },
      ];
      return {
        asker: person,
        count() {
          for (const { key } of both) count(key, 1);
        },
        async giveBack() {
          for (const { key } of both) count(key, -1);
          if (shared === undefined) return;
          for (const { key, limit } of both) await shared.add(`allowance/${key}`, -1, { limit, ttlMs: DAY }).catch(() => undefined);
        },
        async spentUntil() {
          const ends = both.flatMap(({ key, limit }) => (read(key).used >= limit ? [later(read(key).since, DAY)] : []));
          const [own] = ends.toSorted((a, b) => b - a);
          if (own !== undefined || shared === undefined) return own;
          for (const { key, limit } of both)
            // When the other processes began to count is unknown, so a day is assumed.
            if ((await taken(key, limit)) === undefined) return later(clock.now(), DAY);
          return undefined;
        },
      };
    },
  };
}

export const metered = (analytics: Analytics, meter: Meter): Analytics => ({
  ...analytics,
  call: async (row, input, options?: CallOptions) => analytics.call(row, input, { ...options, meter: both(meter, options?.meter) }),
  walk: async (row, input, identify, options) => analytics.walk(row, input, identify, { ...options, meter: both(meter, options?.meter) }),
});

const both = (meter: Meter, own: Meter | undefined): Meter =>
  own === undefined
    ? meter
    : {
        ...meter,
        count() {
          meter.count();
          own.count();
        },
        giveBack: async () => void (await Promise.all([meter.giveBack(), own.giveBack()])),
      };

/** Charges the usual cost of a refresh when it starts. */
export function meteredRefreshes(refreshes: Context['refreshes'], meter: Meter): Context['refreshes'] {
  const cost = (wallet: WalletAddress): number => refreshes.cost?.(wallet) ?? 1;
  return {
    maxAge: refreshes.maxAge,
    cost,
    standing: (wallet) => refreshes.standing(wallet),
    async refresh(order) {
      const until = await meter.spentUntil?.();
      if (until !== undefined) {
        throw new AnalyticsError({ trouble: 'allowance-spent', row: 'refresh', detail: 'whoever asks has used up their allowance', until });
      }
      for (let calls = cost(order.address); calls > 0; calls -= 1) meter.count();
      return refreshes.refresh(order);
    },
  };
}
