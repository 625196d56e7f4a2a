/** What an engine on a database server implements. All methods reject with a `StoreError`. */
import type { KeyRange, StoredText } from './backend.js';
import type { Write } from './group-commit.js';
import type { CounterLimit, CounterRate, LeaseHolder } from './shared.js';
import type { ServerFacts } from './store.js';

export interface ServerEngine {
  /** Never contains a password. */
  readonly place: string;
  get(key: string): Promise<string | undefined>;
  range(range: KeyRange): Promise<readonly StoredText[]>;
  /** One transaction. */
  write(batch: ServerBatch): Promise<BatchResult>;
  /** Undefined if another owner has the lease. */
  acquire(lease: LeaseRequest): Promise<LeaseGrant | undefined>;
  release(owner: string): Promise<void>;
  holder(): Promise<LeaseHolder | undefined>;
  take(counter: string, rate: CounterRate): Promise<number>;
  add(counter: string, amount: number, options: CounterLimit): Promise<number | undefined>;
  /** Deletes counters that are over. */
  tidy(): Promise<void>;
  inspect(): Promise<ServerFacts>;
  close(): Promise<void>;
}

export interface ServerBatch {
  /** Undefined: any process may write. */
  readonly lease: { readonly owner: string; readonly epoch: number } | undefined;
  /** Each key once. */
  readonly writes: readonly Write[];
  /** Milliseconds. Nothing is written later, so that a paused server's statement undoes nothing newer. */
  readonly withinMs: number;
}

/** `kept`: keys at which `ifAbsent` found a document. `moved`: another database. */
export type BatchResult =
  | { readonly kind: 'written'; readonly kept: ReadonlySet<string> }
  | { readonly kind: 'superseded' }
  | { readonly kind: 'moved' }
  | { readonly kind: 'late' };

export interface LeaseRequest {
  /** Unique for each opened store. */
  readonly owner: string;
  readonly holder: string;
  readonly ttlMs: number;
}

export interface LeaseGrant {
  readonly epoch: number;
}
