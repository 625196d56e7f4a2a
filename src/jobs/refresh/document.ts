/**
 * What must be remembered of a wallet's refreshes, `wallet/<address>`, written by the refresher alone: the job that is followed, what was asked and not
 * answered yet, and until when nothing may be asked. The intention is written before a request, so a process that is killed in between knows of it.
 */
import { z } from 'zod';
import type { WalletOverview } from '../../analytics/endpoints/wallets.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import { walletAddressSchema, type WalletAddress } from '../../domain/wallet.js';
import type { Collection, Store } from '../../store/store.js';

const jobSchema = z.object({
  id: z.string(),
  /** The token that alone is refreshed; absent for a whole refresh, and for one that somebody else began. */
  token: z.string().optional(),
  /** Since when it is followed. */
  since: instantSchema,
});
export type FollowedJob = z.infer<typeof jobSchema>;

const documentSchema = z.object({
  address: walletAddressSchema,
  /** The time of the latest snapshot that was heard of. */
  snapshotAt: instantSchema.optional(),
  /** The time of the latest snapshot that is not one of a single token. */
  wholeAt: instantSchema.optional(),
  /** Times of snapshots that came of a refresh of one token, the latest last. */
  partials: z.array(instantSchema).readonly().default([]),
  job: jobSchema.optional(),
  /** A request that was or is about to be made and of which no answer that counts was heard. `refusedAt`: it was refused without saying for how long. */
  intent: z.object({ at: instantSchema, token: z.string().optional(), refusedAt: instantSchema.optional() }).optional(),
  /** Nothing is asked for earlier. */
  pause: z.object({ until: instantSchema, because: z.enum(['limited', 'untold', 'failed', 'given-up']) }).optional(),
  /** Accounts that the last job left behind, of which token it was, and how many times it was gone on with. */
  left: z.object({ accounts: z.int(), token: z.string().optional(), resumed: z.int() }).optional(),
  /** When the last job was found completed. */
  doneAt: instantSchema.optional(),
  /** Jobs in a row that came to nothing. */
  failures: z.int().default(0),
  /** A job that was given up; should it still run, it is not waited for a second time. */
  lost: jobSchema.optional(),
});
export type WalletDocument = z.infer<typeof documentSchema>;
export type WalletDocuments = Collection<WalletDocument>;

/** What the service says of a wallet, and when that arrived. Never a kept answer. */
export interface WalletState {
  readonly overview: Pick<WalletOverview, 'snapshotAt' | 'limited' | 'retryAfterSeconds' | 'job'>;
  readonly at: Instant;
}

export const openWalletDocuments = (store: Store): WalletDocuments =>
  store.collection({ prefix: 'wallet', schema: documentSchema, version: 1 });

export const blank = (address: WalletAddress): WalletDocument => ({ address, partials: [], failures: 0 });
