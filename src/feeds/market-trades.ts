/** This module finds the new trades of a market, each once, in whatever order the service lists them. It is pure. */
import { z } from 'zod';
import type { Order } from '../analytics/endpoints/proposals-market.js';
import { MINUTE, instant, later, type Instant } from '../base/clock.js';
import { compare } from '../domain/decimal.js';
import { decimal, instantSchema, type Decimal } from '../domain/scalars.js';

/** Maximum delay of a trade in the list. */
export const LISTED_LATE = 10 * MINUTE;
/** Maximum number of single trades measured in a check; the largest ones are. */
const MAX_TRADES = 20;
/** Maximum number of trades that are remembered by name. */
const MAX_SEEN = 200;

export const knownTradesSchema = z.object({
  /** The time of the last known trade; later ones are new. */
  tradedAt: instantSchema,
  /** The known trades after `since`, by time and name. Another one of that time was listed late. */
  seen: z.object({ since: instantSchema, trades: z.array(z.tuple([instantSchema, z.string()])).readonly() }).optional(),
  /** The time of the last measurement: a trade that was listed late follows those before it. By default that of the last trade. */
  measuredAt: instantSchema.optional(),
});
export type KnownTrades = z.infer<typeof knownTradesSchema>;

export interface NewTrade {
  readonly at: Instant;
  readonly value: Decimal;
  /** It is absent if no trade is known yet. */
  readonly order?: Order;
}

interface DatedTrade extends NewTrade {
  readonly order: Order;
  readonly name: string;
}

interface FoundTrades {
  /** Oldest first, with times that rise. */
  readonly trades: readonly NewTrade[];
  readonly known: KnownTrades;
}

/** Identifies a trade by its transaction, of which the list has one row. */
export const orderIdentity = ({ at, signature, wallet, value }: Order): string => signature ?? `${at} ${wallet} ${value}`;

/** With the time, the end of an identity is enough to tell trades apart. A whole signature would make the watermark large. */
const NAME_LENGTH = 16;
const nameOf = (order: Order): string => orderIdentity(order).slice(-NAME_LENGTH);

const datedIn = (orders: readonly Order[]): readonly DatedTrade[] => [
  ...new Map(
    orders.flatMap((order): readonly (readonly [string, DatedTrade])[] => {
      const { at, value } = order;
      const name = nameOf(order);
      return at === undefined || value === undefined ? [] : [[`${at} ${name}`, { at, value, order, name }]];
    }),
  ).values(),
];

/** The first read only begins the series, with the newest trade or, if there is none, with one of nothing at `begins`. */
export function firstTrades(orders: readonly Order[], { at, begins }: { readonly at: Instant; readonly begins: Instant }): FoundTrades {
  const [newest = { at: begins, value: decimal('0') }] = datedIn(orders).toSorted((a, b) => b.at - a.at);
  return { trades: [newest], known: { tradedAt: newest.at, seen: { since: instant(Math.max(at, newest.at)), trades: [] } } };
}

export function newTrades(orders: readonly Order[], { known, at }: { readonly known: KnownTrades; readonly at: Instant }): FoundTrades {
  const { tradedAt, seen = { since: tradedAt, trades: [] }, measuredAt = tradedAt } = known;
  const names = new Set(seen.trades.map(([moment, name]) => `${moment} ${name}`));
  const isLate = (one: DatedTrade): boolean => one.at > seen.since && !names.has(`${one.at} ${one.name}`);
  const dated = datedIn(orders);
  const fresh = dated.filter((one) => one.at > tradedAt || isLate(one));
  const largest = fresh.toSorted((a, b) => compare(b.value, a.value)).slice(0, MAX_TRADES);
  let last = measuredAt;
  const trades = largest
    .toSorted((a, b) => a.at - b.at)
    .map(({ at: own, value, order }): NewTrade => {
      last = own > last ? own : later(last, 1);
      return { at: last, value, order };
    });
  const newest = instant(Math.max(tradedAt, ...fresh.map((one) => one.at)));
  return {
    trades,
    known: {
      tradedAt: newest,
      seen: remembered(seen, fresh, instant(Math.max(seen.since, at - LISTED_LATE))),
      measuredAt: last,
    },
  };
}

function remembered(
  { trades: before }: NonNullable<KnownTrades['seen']>,
  fresh: readonly DatedTrade[],
  since: Instant,
): NonNullable<KnownTrades['seen']> {
  const all = [...before, ...fresh.map(({ at, name }): [Instant, string] => [at, name])]
    .filter(([at]) => at > since)
    .toSorted(([a], [b]) => b - a);
  const [oldestLeftOut] = all[MAX_SEEN] ?? [since];
  return { since: oldestLeftOut, trades: all.slice(0, MAX_SEEN).filter(([at]) => at > oldestLeftOut) };
}
