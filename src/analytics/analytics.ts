/** Defines the port of the analytics client. */
import type { z } from 'zod';
import type { Instant } from '../domain/scalars.js';
import type { Trouble } from './errors.js';
import type { ListRow, Meta, Row } from './endpoint-row.js';
import type { PauseState } from './service-pause.js';

export interface CallOptions {
  /** The default is `question`. */
  readonly priority?: 'question' | 'poll';
  /** The age is in milliseconds, by default the row's `freshFor`. */
  readonly maxAge?: number;
  /** Tells whether a stale copy may answer, which by default it may. */
  readonly ifFailing?: 'serve' | 'refuse';
  readonly signal?: AbortSignal;
  /** Joining a shared request is free. */
  readonly meter?: Meter | undefined;
}

export interface ListOptions<T> extends CallOptions {
  /** It is asked before each further page with the rows so far; if true, the walk ends. The default is every page is read. */
  readonly enough?: ((rows: readonly T[]) => boolean) | undefined;
}

export interface Meter {
  /** People take turns where requests wait, so the asker is named. */
  readonly asker?: string;
  count(): void;
  /** Takes one back: nothing of the request was sent. */
  giveBack(): void | Promise<void>;
  /** It is asked before each call. */
  spentUntil?(): Instant | undefined | Promise<Instant | undefined>;
}

export interface Answer<D> {
  readonly data: D;
  readonly meta: Meta;
  readonly at: Instant;
  /** This is when the service dates the data; undefined for the past. */
  readonly dataAt?: Instant;
  /** The answer is an older copy, for this reason. */
  readonly stale?: Trouble;
}

export interface Walk<T> {
  readonly rows: readonly T[];
  readonly broken: number;
  readonly hidden: number;
  /** All rows of a constant `totalItems`; without one, a normal end and no unreadable row. */
  readonly complete: boolean;
  /** A later page failed, not for the plan. */
  readonly cut?: Trouble;
  /** This is when the oldest page arrived. */
  readonly at: Instant;
  readonly dataAt?: Instant;
  readonly stale?: Trouble;
}

export interface ServiceState {
  /** The last call got a response of any kind, even a 404. */
  readonly ok?: boolean;
  readonly trouble?: Trouble;
  readonly lastOkAt?: Instant;
  readonly lastMs?: number;
  readonly budget: BudgetState;
  /** The pace is in requests per second. */
  readonly pace?: { readonly now: number; readonly full: number };
  readonly planLimits?: PlanLimitsState;
  /** It is present while the service asks for a pause. */
  readonly pause?: PauseState;
}

export interface BudgetState {
  readonly used: number;
  readonly limit?: number;
  readonly resetsAt: Instant;
  readonly questions?: number;
  /** Under a limit, they are the requests reserved for questions, and those left for checks. */
  readonly reserved?: number;
  readonly forChecks?: number;
  /** Requests a day over three days and today; absent within the first day. */
  readonly perDay?: number;
}

export interface PlanLimitsState {
  readonly rows?: number;
  /** The plan gives so many pages of a list. */
  readonly pages?: number;
  readonly learnedAt?: Instant;
}

export interface Analytics {
  /** Rejects with an `AnalyticsError`, a ZodError (input), the reason of `signal`, or a `StoreError`. `unknown`, `rejected` and `forbidden` are never answered from a copy. */
  call<I extends z.ZodObject, D>(row: Row<I, D>, input: z.input<I>, options?: CallOptions): Promise<Answer<D>>;
  /** `identify` finds repeated rows. Rejects as `call`, for the first page only. */
  walk<I extends z.ZodObject, T>(
    row: ListRow<I, T>,
    input: z.input<I>,
    identify: (row: T) => string,
    options?: ListOptions<T>,
  ): Promise<Walk<T>>;
  /** Returns the last good response of any age, without a request. */
  kept<I extends z.ZodObject, D>(row: Row<I, D>, input: z.input<I>): Promise<Answer<D> | undefined>;
  state(): ServiceState;
}
