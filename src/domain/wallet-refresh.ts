/** Refresh of a wallet's snapshot: progress, result and state. */
import type { Instant } from './scalars.js';

/** As far as the service reports it. */
export interface RefreshProgress {
  readonly tokens?: number | undefined;
  readonly tokensDone?: number | undefined;
  readonly transactions?: number | undefined;
  /** To continue with unfinished accounts. */
  readonly resumed: number;
}

export type Pause =
  | 'limited'
  /** Without a time. */
  | 'untold'
  | 'failed'
  | 'given-up';

export type RefreshEnd =
  | { readonly kind: 'refreshed'; readonly snapshotAt: Instant | undefined; readonly incomplete: number }
  | { readonly kind: 'wait'; readonly until: Instant; readonly because: Pause }
  /** The service's own sentence. */
  | { readonly kind: 'failed'; readonly says: string | undefined; readonly until: Instant }
  | { readonly kind: 'given-up'; readonly after: number; readonly until: Instant }
  | { readonly kind: 'going-on' };

/** Without a request. */
export interface RefreshStanding {
  readonly snapshotAt: Instant | undefined;
  readonly running: boolean;
  readonly pause: { readonly until: Instant; readonly because: Pause } | undefined;
  /** Accounts not finished by the last refresh. */
  readonly incomplete: number;
}
