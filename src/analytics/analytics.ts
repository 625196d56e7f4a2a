/** Port of the analytics client. */
import type { z } from 'zod';
import type { Instant } from '../domain/scalars.js';
import type { Trouble } from './errors.js';
import type { ListRow, Meta, Row } from './row.js';

export interface CallOptions {
  /** Questions go before polls. Default: `question`. */
  readonly priority?: 'question' | 'poll';
  /** Of a cached answer, in ms. Default: the row's `freshFor`. */
  readonly maxAge?: number;
  /** Whether an older copy may replace a failed call; a check must refuse it. Default: `serve`. */
  readonly ifFailing?: 'serve' | 'refuse';
  readonly signal?: AbortSignal;
  /** Joining a shared request is free. */
  readonly meter?: Meter | undefined;
}

export interface Meter {
  count(): void;
  spentUntil?(): Instant | undefined;
}

export interface Answer<D> {
  readonly data: D;
  readonly meta: Meta;
  /** When the response arrived. */
  readonly at: Instant;
  /** When the service dates the data; undefined for questions about the past. */
  readonly dataAt?: Instant;
  /** Set when the call failed and this is an older copy. */
  readonly stale?: Trouble;
}

export interface Walk<T> {
  readonly rows: readonly T[];
  /** Unreadable rows. */
  readonly broken: number;
  readonly hidden: number;
  /** Every row of a constant `totalItems` was read; without one, the walk ended normally and no row was unreadable. */
  readonly complete: boolean;
  /** A later page failed for another reason than the plan. */
  readonly cut?: Trouble;
  /** When the oldest page arrived. */
  readonly at: Instant;
  readonly dataAt?: Instant;
  readonly stale?: Trouble;
}

export interface ServiceState {
  /** Whether the last call was answered, even with an error such as 404. */
  readonly ok?: boolean;
  readonly trouble?: Trouble;
  readonly lastOkAt?: Instant;
  readonly lastMs?: number;
  readonly budget: BudgetState;
  /** Requests per second. */
  readonly pace?: { readonly now: number; readonly full: number };
  /** Configured or learned from refusals. */
  readonly planLimits?: PlanLimitsState;
}

export interface BudgetState {
  readonly used: number;
  readonly limit?: number;
  readonly resetsAt: Instant;
  readonly questions?: number;
  /** With a limit: requests reserved for questions, and left for checks. */
  readonly reserved?: number;
  readonly forChecks?: number;
}

export interface PlanLimitsState {
  /** Per page; absent: unknown. */
  readonly rows?: number;
  /** Of a list. */
  readonly pages?: number;
  readonly learnedAt?: Instant;
}

export interface Analytics {
  /**
   * Rejects with an `AnalyticsError`, a ZodError (invalid input), the reason of `signal`, or a `StoreError` when a limited call cannot be
   * booked. `unknown`, `rejected` and `forbidden` are never answered with an older copy.
   */
  call<I extends z.ZodObject, D>(row: Row<I, D>, input: z.input<I>, options?: CallOptions): Promise<Answer<D>>;
  /** `identify` detects a row on two pages. Rejects as `call`, but only if the first page fails. */
  walk<I extends z.ZodObject, T>(
    row: ListRow<I, T>,
    input: z.input<I>,
    identify: (row: T) => string,
    options?: CallOptions,
  ): Promise<Walk<T>>;
  state(): ServiceState;
}
