/** What the rest of the bot knows of the service: call a row, walk a list, ask how it is. */
import type { z } from 'zod';
import type { Instant } from '../domain/scalars.js';
import type { Trouble } from './errors.js';
import type { ListRow, Meta, Row } from './row.js';

export interface CallOptions {
  /** A person waits, or a background look does. Questions go first. Default: `question`. */
  readonly priority?: 'question' | 'poll';
  /** How old a kept answer may be to be used without asking, in milliseconds. Default: the row's `freshFor`. */
  readonly maxAge?: number;
  /** Whether the last good copy may stand in when asking fails. A look must refuse it: old data is no news. Default: `serve`. */
  readonly ifFailing?: 'serve' | 'refuse';
  readonly signal?: AbortSignal;
  /** Who pays for the requests of this call; those who join a request under way ride free. Default: nobody. */
  readonly meter?: Meter | undefined;
}

/** Counts requests for somebody, and may say that they have had enough. */
export interface Meter {
  /** Told before each request that is made. */
  count(): void;
  /** Until when no more may be made; undefined while they may. */
  spentUntil?(): Instant | undefined;
}

export interface Answer<D> {
  readonly data: D;
  readonly meta: Meta;
  /** When it arrived here. */
  readonly at: Instant;
  /** When its data is from by its own words, where that is known and the question was about now. A reply shows the older of both. */
  readonly dataAt?: Instant;
  /** Set when asking failed and this is the last good copy. */
  readonly stale?: Trouble;
}

/** A list walked to its end. */
export interface Walk<T> {
  /** Each row once, in the order met. */
  readonly rows: readonly T[];
  /** Rows that could not be read. */
  readonly broken: number;
  /** Rows that stand there but that the plan does not show: a later page was refused. */
  readonly hidden: number;
  /**
   * Whether every row the service counts was met and read, and its count did not change meanwhile; where it counts none, whether the walk
   * came to its end with nothing broken. An incomplete walk proves nothing about what it did not meet.
   */
  readonly complete: boolean;
  /** Set when a later page failed for another reason than the plan: the walk ended there, and `complete` is false. */
  readonly cut?: Trouble;
  /** When the oldest page arrived. */
  readonly at: Instant;
  /** When the data is from, as `Answer` has it. */
  readonly dataAt?: Instant;
  readonly stale?: Trouble;
}

export interface ServiceState {
  /** Whether the last call was answered, be it with a "no such project"; undefined before the first. */
  readonly ok?: boolean;
  readonly trouble?: Trouble;
  readonly lastOkAt?: Instant;
  readonly lastMs?: number;
  readonly budget: BudgetState;
  /** Requests a second, now and as configured. */
  readonly pace?: { readonly now: number; readonly full: number };
  /** What the plan behind the key gives, as configured and as learned from refusals. */
  readonly caps?: CapsState;
}

export interface BudgetState {
  readonly used: number;
  readonly limit?: number;
  readonly resetsAt: Instant;
  /** Of those used, for questions. */
  readonly questions?: number;
  /** With a limit: what is kept for questions of what is left, and what looks may still use. */
  readonly reserved?: number;
  readonly forLooks?: number;
}

export interface CapsState {
  /** The most rows a page; absent: not known. */
  readonly rows?: number;
  /** The most pages of a list. */
  readonly pages?: number;
  /** When a refusal last taught something. */
  readonly learnedAt?: Instant;
}

export interface Analytics {
  /**
   * Rejects with an `AnalyticsError`; with a ZodError when `input` does not fit the row (refused before any call); with the reason of `signal`
   * when that is aborted; and with a `StoreError` when a monthly limit is set and the call cannot be booked. The service's own verdicts
   * (`unknown`, `rejected`, `forbidden`) are never answered with an older copy.
   */
  call<I extends z.ZodObject, D>(row: Row<I, D>, input: z.input<I>, options?: CallOptions): Promise<Answer<D>>;
  /** Follows `totalItems` over all pages; `identify` tells the same row on two pages. Rejects as `call` does, but only when the first page fails. */
  walk<I extends z.ZodObject, T>(
    row: ListRow<I, T>,
    input: z.input<I>,
    identify: (row: T) => string,
    options?: CallOptions,
  ): Promise<Walk<T>>;
  state(): ServiceState;
}
