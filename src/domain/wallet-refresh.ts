/** The refresh of a wallet's snapshot: progress, result and state. */
import type { Instant } from './scalars.js';

/** As far as the service reports it. */
export interface RefreshProgress {
  readonly tokens?: number | undefined;
  readonly tokensDone?: number | undefined;
  readonly transactions?: number | undefined;
  /** Number of repeated requests to continue with unfinished accounts. */
  readonly resumed: number;
}

export type Pause =
  /** Rate limited by the service. */
  | 'limited'
  /** Refused or unanswered, with no time given. */
  | 'untold'
  | 'failed'
  /** The last one never ended. */
  | 'given-up';

export type RefreshEnd =
  | { readonly kind: 'refreshed'; readonly snapshotAt: Instant | undefined; readonly incomplete: number }
  | { readonly kind: 'wait'; readonly until: Instant; readonly because: Pause }
  /** The service's own sentence. */
  | { readonly kind: 'failed'; readonly says: string | undefined; readonly until: Instant }
  | { readonly kind: 'given-up'; readonly after: number; readonly until: Instant }
  | { readonly kind: 'going-on' };

/** The known state of a wallet's refreshes, without a request. */
export interface RefreshStanding {
  /** The latest known snapshot. */
  readonly snapshotAt: Instant | undefined;
  readonly running: boolean;
  readonly pause: { readonly until: Instant; readonly because: Pause } | undefined;
  /** Accounts whose history did not finish in the last refresh. */
  readonly incomplete: number;
}
