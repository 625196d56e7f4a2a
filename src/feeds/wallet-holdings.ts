/** This module compares snapshots. It is pure. A missing token counts as an exit after two complete checks of later snapshots. */
import { z } from 'zod';
import type { WalletHolding } from '../analytics/endpoints/wallets.js';
import { instant } from '../base/clock.js';
import { compare, isZero } from '../domain/decimal.js';
import { decimal, decimalSchema, instantSchema, type Decimal, type Instant } from '../domain/scalars.js';

const heldSchema = z.object({
  /** 0 for a token that is no longer held. */
  balance: decimalSchema,
  at: instantSchema,
  symbol: z.string().optional(),
  /** Kept because a closed position has no row that names its project. */
  slug: z.string().optional(),
  rank: z.int().optional(),
  /** Set if a complete check of a later snapshot did not show the token. */
  missing: z.object({ snapshot: instantSchema, seenAt: instantSchema }).optional(),
});
type Held = z.infer<typeof heldSchema>;

export const holdingsWatermarkSchema = z.object({
  tokens: z.record(z.string(), heldSchema),
  /** The newest snapshot that was read whole. An unknown token in a later one is new. */
  wholeAt: instantSchema.optional(),
  /** The first snapshot yields no events. */
  begun: z.boolean(),
});
export type HoldingsWatermark = z.infer<typeof holdingsWatermarkSchema>;

export interface HoldingsSeen {
  readonly rows: readonly WalletHolding[];
  readonly snapshotAt: Instant | undefined;
  readonly whole: boolean;
  /** False if the refresh read one token only, which recalculates no ranks. */
  readonly ranked: boolean;
  readonly detectedAt: Instant;
}

export interface HoldingChange {
  readonly stage: 'balance' | 'new' | 'exit' | 'rank';
  readonly token: string;
  readonly symbol?: string;
  readonly slug?: string | undefined;
  readonly was?: Decimal;
  readonly now: Decimal;
  readonly from?: Instant;
  readonly at: Instant;
  readonly rank?: number;
  readonly wasRank?: number;
  readonly row?: WalletHolding;
}

const NOTHING = decimal('0');

/** A recalculated rank. */
export interface HolderRank {
  readonly token: string;
  readonly symbol?: string;
  /** 1 is the largest holder. */
  readonly rank: number;
  readonly wasRank?: number;
  readonly at: Instant;
  readonly row: WalletHolding;
}

export function diffHoldings(
  before: HoldingsWatermark | undefined,
  seen: HoldingsSeen,
): {
  readonly watermark: HoldingsWatermark;
  readonly changes: readonly HoldingChange[];
  readonly ranks: readonly HolderRank[];
  /** Tokens that the snapshot shows again with the same rank. */
  readonly stillRanked: readonly string[];
} {
  const tokens = new Map<string, Held>(Object.entries(before?.tokens ?? {}));
  const rows = latestOfEach(seen);
  const newest = Math.max(...rows.map(({ at }) => at));
  const snapshot = seen.snapshotAt ?? (rows.length > 0 ? instant(newest) : seen.detectedAt);
  const begun = before?.begun === true;
  const ranks = seen.ranked && isWholeRefresh(rows, tokens);
  const changes: HoldingChange[] = [];
  const standings: HolderRank[] = [];
  const stillRanked: string[] = [];

  for (const { row, at } of rows) {
    const { token, balance } = row;
    const known = tokens.get(token);
    if (known !== undefined && at < known.at) continue;
    const symbol = row.symbol ?? known?.symbol;
    const slug = row.slug ?? known?.slug;
    const isNew = known === undefined || at > known.at;
    if (!(ranks && isNew) && row.rank !== undefined && row.rank === known?.rank && !isZero(balance)) stillRanked.push(token);
    if (known !== undefined && at === known.at) {
      tokens.set(token, { ...known, symbol, ...(slug && { slug }), missing: undefined });
      continue;
    }
    if (known === undefined && isZero(balance)) continue;
    const was = known?.balance ?? NOTHING;
    const rank = ranks || known?.rank === undefined ? row.rank : known.rank;
    tokens.set(token, { balance, at, symbol, ...(slug && { slug }), rank });
    if (ranks && row.rank !== undefined && !isZero(balance))
      standings.push({ token, symbol, rank: row.rank, wasRank: known?.rank, at, row });
    const isLate = known === undefined && (before?.wholeAt === undefined || at <= before.wholeAt);
    if (!begun || isLate) continue;
    const moved = ranks && known?.rank !== undefined && rank !== undefined && rank !== known.rank && !isZero(was) && !isZero(balance);
    const stage = compare(was, balance) === 0 ? (moved ? 'rank' : undefined) : isZero(was) ? 'new' : isZero(balance) ? 'exit' : 'balance';
    if (stage === undefined) continue;
    const since = isZero(was) ? {} : { was, from: known?.at };
    changes.push({
      stage,
      token,
      symbol,
      ...(slug && { slug }),
      ...since,
      now: balance,
      at,
      row,
      ...(moved ? { rank, wasRank: known?.rank } : {}),
    });
  }

  const shown = new Set(rows.map(({ row }) => row.token));
  for (const [token, known] of tokens) {
    // An incomplete list proves no exit, nor does a snapshot that is not later than the token's row.
    if (shown.has(token) || isZero(known.balance) || !seen.whole || snapshot <= known.at) continue;
    const { missing } = known;
    if (missing === undefined) tokens.set(token, { ...known, missing: { snapshot, seenAt: seen.detectedAt } });
    else if (seen.detectedAt > missing.seenAt) {
      tokens.set(token, { balance: NOTHING, at: missing.snapshot, symbol: known.symbol, ...(known.slug && { slug: known.slug }) });
      if (begun)
        changes.push({
          stage: 'exit',
          token,
          symbol: known.symbol,
          ...(known.slug && { slug: known.slug }),
          was: known.balance,
          now: NOTHING,
          from: known.at,
          at: missing.snapshot,
        });
    }
  }

  const wholeAt = seen.whole ? instant(Math.max(snapshot, before?.wholeAt ?? 0)) : before?.wholeAt;
  return {
    watermark: { tokens: Object.fromEntries(tokens), wholeAt, begun: begun || seen.snapshotAt !== undefined || rows.length > 0 },
    changes: changes.toSorted(byTime),
    ranks: standings.toSorted(byTime),
    stillRanked,
  };
}

const byTime = (a: HoldingChange | HolderRank, b: HoldingChange | HolderRank): number => a.at - b.at || (a.token < b.token ? -1 : 1);

interface Read {
  readonly row: WalletHolding;
  readonly at: Instant;
}

function latestOfEach({ rows, snapshotAt, detectedAt }: HoldingsSeen): readonly Read[] {
  const latest = new Map<string, Read>();
  for (const row of rows) {
    const at = row.syncedAt ?? snapshotAt ?? detectedAt;
    const other = latest.get(row.token);
    if (other === undefined || at > other.at || (at === other.at && compare(row.balance, other.row.balance) > 0))
      latest.set(row.token, { row, at });
  }
  return [...latest.values()];
}

function isWholeRefresh(rows: readonly Read[], known: ReadonlyMap<string, Held>): boolean {
  const last = Math.max(...[...known.values()].map(({ at }) => at));
  return rows.length > 0 && rows.every(({ at }) => at > last);
}
