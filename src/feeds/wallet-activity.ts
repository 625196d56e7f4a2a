/** This module finds new trades and ICOs of a wallet. It is pure. The set of seen ids only grows. */
import { z } from 'zod';
import {
  participationIdentity,
  walletMarketIdentity,
  type Participation,
  type WalletMarket,
} from '../analytics/endpoints/wallet-activity.js';
import { instant } from '../base/clock.js';
import { compare, subtract } from '../domain/decimal.js';
import { decimalSchema, instantSchema, type Decimal, type Instant } from '../domain/scalars.js';

const tradedSchema = z.object({ trades: z.int().optional(), lastAt: instantSchema.optional(), volume: decimalSchema.optional() });
type Traded = z.infer<typeof tradedSchema>;

export const marketsWatermarkSchema = z.object({
  /** The key is the proposal's identity. */
  known: z.record(z.string(), tradedSchema),
  /** False until every row was read. Until then, an unknown undated row may be old. */
  whole: z.boolean(),
});
export type MarketsWatermark = z.infer<typeof marketsWatermarkSchema>;

export const icosWatermarkSchema = z.object({ known: z.array(z.string()).readonly(), whole: z.boolean() });
export type IcosWatermark = z.infer<typeof icosWatermarkSchema>;

export interface ActivityPart<T> {
  readonly rows: readonly T[];
  readonly whole: boolean;
}

export interface ActivityTraces {
  readonly row: WalletMarket;
  readonly key: string;
  /** Total number of trades. */
  readonly trades?: number;
  readonly lastAt?: Instant;
  /** New trades, if the service counts them. */
  readonly more?: number;
  readonly moreVolume?: Decimal;
}

export function diffMarkets(
  before: MarketsWatermark | undefined,
  seen: ActivityPart<WalletMarket>,
): { readonly watermark: MarketsWatermark; readonly traded: readonly ActivityTraces[] } {
  const known = new Map<string, Traded>(Object.entries(before?.known ?? {}));
  const traded: ActivityTraces[] = [];
  // If a shifting list shows a proposal twice, the row with more trades comes first.
  for (const row of seen.rows.toSorted((a, b) => (b.trades ?? 0) - (a.trades ?? 0) || (b.lastTradeAt ?? 0) - (a.lastTradeAt ?? 0))) {
    const key = walletMarketIdentity(row);
    const old = known.get(key);
    if (old !== undefined && !isMore(old, row)) continue;
    const now = {
      trades: greater(old?.trades, row.trades),
      lastAt: laterOf(old?.lastAt, row.lastTradeAt),
      volume: row.volume ?? old?.volume,
    };
    known.set(key, now);
    if (before === undefined || now.trades === 0 || (old === undefined && now.lastAt === undefined && !before.whole)) continue;
    const more = now.trades === undefined ? undefined : now.trades - (old?.trades ?? 0);
    const moreVolume = now.volume === undefined ? undefined : old?.volume === undefined ? now.volume : subtract(now.volume, old.volume);
    traded.push({ row, key, trades: now.trades, lastAt: now.lastAt, more, moreVolume });
  }
  const watermark = { known: Object.fromEntries(known), whole: (before?.whole ?? false) || seen.whole };
  return { watermark, traded: traded.toSorted((a, b) => (a.lastAt ?? 0) - (b.lastAt ?? 0) || (a.key < b.key ? -1 : 1)) };
}

const isMore = (old: Traded, row: WalletMarket): boolean =>
  (row.trades !== undefined && row.trades > (old.trades ?? 0)) ||
  (row.lastTradeAt !== undefined && row.lastTradeAt > (old.lastAt ?? Number.NEGATIVE_INFINITY)) ||
  // Without a count or a date, only the volume shows that there were more trades.
  (row.trades === undefined &&
    row.lastTradeAt === undefined &&
    row.volume !== undefined &&
    (old.volume === undefined || compare(row.volume, old.volume) > 0));

const greater = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);
const laterOf = (a: Instant | undefined, b: Instant | undefined): Instant | undefined => {
  const last = greater(a, b);
  return last === undefined ? undefined : instant(last);
};

export function diffIcos(
  before: IcosWatermark | undefined,
  seen: ActivityPart<Participation>,
): { readonly watermark: IcosWatermark; readonly joined: readonly { readonly row: Participation; readonly key: string }[] } {
  const known = new Set(before?.known);
  const once = new Map(seen.rows.map((row) => [participationIdentity(row), row]));
  const fresh = [...once].filter(([key]) => !known.has(key)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const joined = fresh.filter(([, row]) => before !== undefined && (row.at !== undefined || before.whole));
  return {
    watermark: { known: [...known, ...fresh.map(([key]) => key)], whole: (before?.whole ?? false) || seen.whole },
    joined: joined.map(([key, row]) => ({ key, row })),
  };
}
