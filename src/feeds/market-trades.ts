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
type Seen = NonNullable<KnownTrades['seen']>;

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
  const dated = datedIn(orders).toSorted((a, b) => b.at - a.at);
  const [newest = { at: begins, value: decimal('0') }] = dated;
  const begun = past(newest.at, at);
  return { trades: [{ ...newest, at: begun }], known: known({ tradedAt: begun, seen: remembered([], dated, at), since: at }) };
}

/** Trades that are remembered no more count as known. */
const known = ({ tradedAt, seen, since }: { tradedAt: Instant; seen: Seen; since: Instant }): KnownTrades => ({
  tradedAt: seen.since > since ? instant(Math.max(tradedAt, seen.since)) : tradedAt,
  seen,
});

/** A time in the future would put the trades that follow there as well, or hide them until it comes. */
const past = (dated: Instant, at: Instant): Instant => instant(Math.min(dated, at));

export function newTrades(
  orders: readonly Order[],
  { known: before, at }: { readonly known: KnownTrades; readonly at: Instant },
): FoundTrades {
  const { tradedAt, seen = { since: tradedAt, trades: [] }, measuredAt = tradedAt } = before;
  const names = new Set(seen.trades.map(([moment, name]) => `${moment} ${name}`));
  const isKnown = (one: DatedTrade): boolean => names.has(`${one.at} ${one.name}`);
  const fresh = datedIn(orders).filter((one) => (one.at > tradedAt || one.at > seen.since) && !isKnown(one));
  const largest = fresh.toSorted((a, b) => compare(b.value, a.value)).slice(0, MAX_TRADES);
  let last = measuredAt;
  const trades = largest
    .toSorted((a, b) => a.at - b.at)
    .map(({ at: dated, value, order }): NewTrade => {
      const own = past(dated, at);
      last = own > last ? own : later(last, 1);
      return { at: last, value, order };
    });
  const moments = [...seen.trades.map(([moment]) => moment), ...fresh.map((one) => one.at)];
  const newest = instant(Math.max(tradedAt, ...moments.map((moment) => past(moment, at))));
  const since = instant(Math.max(seen.since, at - LISTED_LATE));
  return { trades, known: { ...known({ tradedAt: newest, seen: remembered(seen.trades, fresh, since), since }), measuredAt: last } };
}

function remembered(before: Seen['trades'], fresh: readonly DatedTrade[], since: Instant): Seen {
  const named = fresh.map(({ at, name }): [Instant, string] => [at, name]);
  const all = [...before, ...named].filter(([at]) => at > since).toSorted(([a], [b]) => b - a);
  const [oldestLeftOut] = all[MAX_SEEN] ?? [since];
  return { since: oldestLeftOut, trades: all.slice(0, MAX_SEEN).filter(([at]) => at > oldestLeftOut) };
}
