/** The port of the analytics client: call a row, walk a list, read the state. */
import type { z } from 'zod';
import type { Instant } from '../domain/scalars.js';
import type { Trouble } from './errors.js';
import type { ListRow, Meta, Row } from './row.js';

export interface CallOptions {
  /** Questions go before polls. Default: `question`. */
  readonly priority?: 'question' | 'poll';
  /** Maximum age of a cached answer in ms. Default: the row's `freshFor`. */
  readonly maxAge?: number;
  /** Whether an older copy may replace a failed call. A check must refuse it. Default: `serve`. */
  readonly ifFailing?: 'serve' | 'refuse';
  readonly signal?: AbortSignal;
  /** Who pays for the requests; joining a shared request is free. */
  readonly meter?: Meter | undefined;
}

export interface Meter {
  /** Called before each request. */
  count(): void;
  spentUntil?(): Instant | undefined;
}

export interface Answer<D> {
  readonly data: D;
  readonly meta: Meta;
  /** When the response arrived. */
  readonly at: Instant;
  /** When the service dates the data; undefined for questions about the past. Replies show the older of the two. */
  readonly dataAt?: Instant;
  /** Set when the call failed and this is an older copy. */
  readonly stale?: Trouble;
}

/** All pages of a list. */
export interface Walk<T> {
  readonly rows: readonly T[];
  /** Number of unreadable rows. */
  readonly broken: number;
  readonly hidden: number;
  /**
   * Whether all rows of a constant `totalItems` were read; without a total, whether the walk ended normally with no unreadable row. An
   * incomplete walk proves nothing about missing rows.
   */
  readonly complete: boolean;
  /** Set when a later page failed for another reason than the plan; `complete` is then false. */
  readonly cut?: Trouble;
  /** When the oldest page arrived. */
  readonly at: Instant;
  /** As in `Answer`. */
  readonly dataAt?: Instant;
  readonly stale?: Trouble;
}

export interface ServiceState {
  /** Whether the service answered the last call, even with an error such as 404; undefined before the first. */
  readonly ok?: boolean;
  readonly trouble?: Trouble;
  readonly lastOkAt?: Instant;
  readonly lastMs?: number;
  readonly budget: BudgetState;
  /** Requests per second. */
  readonly pace?: { readonly now: number; readonly full: number };
  /** Limits of the plan, configured or learned from refusals. */
  readonly planLimits?: PlanLimitsState;
}

export interface BudgetState {
  readonly used: number;
  readonly limit?: number;
  readonly resetsAt: Instant;
  /** Requests used for questions. */
  readonly questions?: number;
  /** With a limit: requests reserved for questions, and left for checks. */
  readonly reserved?: number;
  readonly forLooks?: number;
}

export interface PlanLimitsState {
  /** Maximum rows per page; absent: unknown. */
  readonly rows?: number;
  /** Maximum pages of a list. */
  readonly pages?: number;
  readonly learnedAt?: Instant;
}

export interface Analytics {
  /**
   * Rejects with an `AnalyticsError`, a ZodError (invalid input, before any request), the reason of `signal`, or a `StoreError` when a
   * monthly limit is set and the call cannot be booked. `unknown`, `rejected` and `forbidden` are never answered with an older copy.
   */
  call<I extends z.ZodObject, D>(row: Row<I, D>, input: z.input<I>, options?: CallOptions): Promise<Answer<D>>;
  /** Reads all pages; `identify` detects a row that is on two pages. Rejects as `call`, but only if the first page fails. */
  walk<I extends z.ZodObject, T>(
    row: ListRow<I, T>,
    input: z.input<I>,
    identify: (row: T) => string,
    options?: CallOptions,
  ): Promise<Walk<T>>;
  state(): ServiceState;
}
