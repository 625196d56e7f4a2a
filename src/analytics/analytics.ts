/** Defines the interface of the analytics client. */
import type { z } from 'zod';
import type { Instant } from '../domain/scalars.js';
import type { Trouble } from './errors.js';
import type { ListRow, Meta, Row } from './endpoint-row.js';
import type { PauseState } from './service-pause.js';

export interface CallOptions {
  /** The default is `question`. */
  readonly priority?: 'question' | 'poll';
  /** The largest age of a cached answer in milliseconds, by default the row's `freshFor`. */
  readonly maxAge?: number;
  /** Whether a stale copy may answer a failed call. By default it may. */
  readonly ifFailing?: 'serve' | 'refuse';
  readonly signal?: AbortSignal;
  /** Pays for the request. Joining a shared request is free. */
  readonly meter?: Meter | undefined;
}

export interface ListOptions<T> extends CallOptions {
  /** Called before each further page with the rows so far; true ends the walk. By default every page is read. */
  readonly enough?: ((rows: readonly T[]) => boolean) | undefined;
}

export interface Meter {
  /** The person who asks, because waiting requests of different people take turns. */
  readonly asker?: string;
  count(): void;
  /** Takes a request back of which nothing was sent. */
  giveBack(): void | Promise<void>;
  /** Called before each call. Until the returned time no request is made. */
  spentUntil?(): Instant | undefined | Promise<Instant | undefined>;
}

export interface Answer<D> {
  readonly data: D;
  readonly meta: Meta;
  readonly at: Instant;
  /** The date of the data as stated by the service; undefined for data of a past moment. */
  readonly dataAt?: Instant;
  /** Set for an older copy: why there is no fresh answer. */
  readonly stale?: Trouble;
}

export interface Walk<T> {
  readonly rows: readonly T[];
  readonly broken: number;
  readonly hidden: number;
  /** Whether all rows were read: as many as a constant `totalItems`, or without it a normal end and no unreadable row. */
  readonly complete: boolean;
  /** Why a later page failed, if the plan was not the reason. */
  readonly cut?: Trouble;
  /** When the oldest page arrived. */
  readonly at: Instant;
  readonly dataAt?: Instant;
  readonly stale?: Trouble;
}

export interface ServiceState {
  /** Whether the last call got any response, even a 404. */
  readonly ok?: boolean;
  readonly trouble?: Trouble;
  readonly lastOkAt?: Instant;
  readonly lastMs?: number;
  readonly budget: BudgetState;
  /** The value is in requests per second. */
  readonly pace?: { readonly now: number; readonly full: number };
  readonly planLimits?: PlanLimitsState;
  /** Present while the service asks for a pause. */
  readonly pause?: PauseState;
}

export interface BudgetState {
  readonly used: number;
  readonly limit?: number;
  readonly resetsAt: Instant;
  readonly questions?: number;
  /** Under a monthly limit: the requests reserved for questions, and those left for checks. */
  readonly reserved?: number;
  readonly forChecks?: number;
  /** The mean requests per day over three days and today; absent within the first day. */
  readonly perDay?: number;
}

export interface PlanLimitsState {
  readonly rows?: number;
  /** The number of pages of a list that the plan allows. */
  readonly pages?: number;
  readonly learnedAt?: Instant;
}

export interface Analytics {
  /** Rejects with an `AnalyticsError`, a ZodError (input), the reason of `signal`, or a `StoreError`. No copy replaces `unknown`, `rejected`, `forbidden`. */
  call<I extends z.ZodObject, D>(row: Row<I, D>, input: z.input<I>, options?: CallOptions): Promise<Answer<D>>;
  /** Reads all pages of a list. `identify` finds repeated rows. Rejects like `call`, but only if the first page fails. */
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
