/** Making the snapshot of a wallet anew, as those who ask for it and those who do it speak of it. */
import type { Instant } from './scalars.js';

/** How far a refresh is, as far as the service says. */
export interface RefreshProgress {
  readonly tokens?: number | undefined;
  readonly tokensDone?: number | undefined;
  readonly transactions?: number | undefined;
  /** How many times it was asked again, to go on with accounts that were left behind. */
  readonly resumed: number;
}

/** Why no refresh may be asked for until a moment. */
export type Pause =
  /** The service said so. */
  | 'limited'
  /** It refused or it was never heard what it answered, and nobody says for how long. */
  | 'untold'
  /** The last one failed, or was refused for good. */
  | 'failed'
  /** The last one never ended. */
  | 'given-up';

/** How a refresh that somebody asked for came out. */
export type RefreshEnd =
  | { readonly kind: 'refreshed'; readonly snapshotAt: Instant | undefined; readonly incomplete: number }
  | { readonly kind: 'wait'; readonly until: Instant; readonly because: Pause }
  /** `says` is the service's own sentence, where it has one. */
  | { readonly kind: 'failed'; readonly says: string | undefined; readonly until: Instant }
  | { readonly kind: 'given-up'; readonly after: number; readonly until: Instant }
  /** Nobody waits any longer; it goes on behind. */
  | { readonly kind: 'going-on' };

/** What is known of a wallet's refreshes without asking. */
export interface RefreshStanding {
  /** The latest snapshot that was heard of. */
  readonly snapshotAt: Instant | undefined;
  /** Whether one is under way. */
  readonly running: boolean;
  /** Until when none is asked for, and why. */
  readonly pause: { readonly until: Instant; readonly because: Pause } | undefined;
  /** Accounts whose history did not finish, after the last one. */
  readonly incomplete: number;
}
