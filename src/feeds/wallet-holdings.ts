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

export function diffHoldings(before: HoldingsWatermark | undefined, seen: HoldingsSeen): HoldingsDiff {
  const comparison = new HoldingsComparison(before, seen);
  const rows = latestOfEach(seen);
  const ranks = seen.ranked && isWholeRefresh(rows, comparison.tokens);
  for (const read of rows) comparison.take(read, ranks);
  comparison.takeMissing(rows);
  return comparison.result(rows);
}

interface HoldingsDiff {
  readonly watermark: HoldingsWatermark;
  readonly changes: readonly HoldingChange[];
  readonly ranks: readonly HolderRank[];
  /** Tokens that the snapshot shows again with the same rank. */
  readonly stillRanked: readonly string[];
}

/** Compares a snapshot with the watermark, token by token. */
class HoldingsComparison {
  readonly #before: HoldingsWatermark | undefined;
  readonly #seen: HoldingsSeen;
  readonly #changes: HoldingChange[] = [];
  readonly #standings: HolderRank[] = [];
  readonly #stillRanked: string[] = [];
  readonly tokens: Map<string, Held>;

  constructor(before: HoldingsWatermark | undefined, seen: HoldingsSeen) {
    this.#before = before;
    this.#seen = seen;
    this.tokens = new Map(Object.entries(before?.tokens ?? {}));
  }

  get #begun(): boolean {
    return this.#before?.begun === true;
  }

  /** If `ranks` is set, all rows come from one refresh, so their ranks can be compared. */
  take({ row, at }: Read, ranks: boolean): void {
    const { token, balance } = row;
    const known = this.tokens.get(token);
    if (known !== undefined && at < known.at) return;
    const symbol = row.symbol ?? known?.symbol;
    const slug = row.slug ?? known?.slug;
    const isNew = known === undefined || at > known.at;
    if (!(ranks && isNew) && row.rank !== undefined && row.rank === known?.rank && !isZero(balance)) this.#stillRanked.push(token);
    if (known !== undefined && at === known.at) {
      this.tokens.set(token, { ...known, symbol, ...(slug && { slug }), missing: undefined });
      return;
    }
    if (known === undefined && isZero(balance)) return;
    const rank = ranks || known?.rank === undefined ? row.rank : known.rank;
    const held: Held = { balance, at, symbol, ...(slug && { slug }), rank };
    this.tokens.set(token, held);
    if (ranks && row.rank !== undefined && !isZero(balance))
      this.#standings.push({ token, symbol, rank: row.rank, wasRank: known?.rank, at, row });
    const isLate = known === undefined && (this.#before?.wholeAt === undefined || at <= this.#before.wholeAt);
    if (this.#begun && !isLate) this.#change(row, held, known, ranks);
  }

  #change(row: WalletHolding, { balance, at, symbol, slug, rank }: Held, known: Held | undefined, ranks: boolean): void {
    const was = known?.balance ?? NOTHING;
    const moved = ranks && known?.rank !== undefined && rank !== undefined && rank !== known.rank && !isZero(was) && !isZero(balance);
    const stage = compare(was, balance) === 0 ? (moved ? 'rank' : undefined) : isZero(was) ? 'new' : isZero(balance) ? 'exit' : 'balance';
    if (stage === undefined) return;
    this.#changes.push({
      ...{ stage, token: row.token, symbol, ...(slug && { slug }) },
      ...(isZero(was) ? {} : { was, from: known?.at }),
      ...{ now: balance, at, row },
      ...(moved ? { rank, wasRank: known?.rank } : {}),
    });
  }

  /** An incomplete list proves no exit, nor does a snapshot that is not later than the token's row. */
  takeMissing(rows: readonly Read[]): void {
    const { whole, detectedAt } = this.#seen;
    const snapshot = this.#snapshotAt(rows);
    const shown = new Set(rows.map(({ row }) => row.token));
    for (const [token, known] of this.tokens) {
      if (shown.has(token) || isZero(known.balance) || !whole || snapshot <= known.at) continue;
      const { missing, symbol } = known;
      const slug = known.slug && { slug: known.slug };
      if (missing === undefined) this.tokens.set(token, { ...known, missing: { snapshot, seenAt: detectedAt } });
      else if (detectedAt > missing.seenAt) {
        const at = missing.snapshot;
        this.tokens.set(token, { balance: NOTHING, at, symbol, ...slug });
        if (this.#begun)
          this.#changes.push({ stage: 'exit', token, symbol, ...slug, was: known.balance, now: NOTHING, from: known.at, at });
      }
    }
  }

  result(rows: readonly Read[]): HoldingsDiff {
    const { whole, snapshotAt } = this.#seen;
    const wholeAt = whole ? instant(Math.max(this.#snapshotAt(rows), this.#before?.wholeAt ?? 0)) : this.#before?.wholeAt;
    return {
      watermark: {
        tokens: Object.fromEntries(this.tokens),
        wholeAt,
        begun: this.#begun || snapshotAt !== undefined || rows.length > 0,
      },
      changes: this.#changes.toSorted(byTime),
      ranks: this.#standings.toSorted(byTime),
      stillRanked: this.#stillRanked,
    };
  }

  #snapshotAt(rows: readonly Read[]): Instant {
    const { snapshotAt, detectedAt } = this.#seen;
    return snapshotAt ?? (rows.length > 0 ? instant(Math.max(...rows.map(({ at }) => at))) : detectedAt);
  }
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
