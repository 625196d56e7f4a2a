/**
 * The refresh state of a wallet, `wallet/<address>`, written by the refresher alone: followed job, unanswered request, pause. The intent
 * is written before a request, so that it survives a crash.
 */
import { z } from 'zod';
import type { WalletOverview } from '../../analytics/endpoints/wallets.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import { walletAddressSchema, type WalletAddress } from '../../domain/wallet.js';
import type { Collection, Store } from '../../store/store.js';

const jobSchema = z.object({
  id: z.string(),
  /** For a refresh of one token. Absent for a whole one and for a job that somebody else started. */
  token: z.string().optional(),
  /** When following began. */
  since: instantSchema,
});
export type FollowedJob = z.infer<typeof jobSchema>;

const documentSchema = z.object({
  address: walletAddressSchema,
  /** The latest known snapshot. */
  snapshotAt: instantSchema.optional(),
  /** The latest snapshot of all tokens. */
  wholeAt: instantSchema.optional(),
  /** Snapshots of single-token refreshes, the latest last. */
  partials: z.array(instantSchema).readonly().default([]),
  job: jobSchema.optional(),
  /** A request without a usable answer. `refusedAt`: refused without a wait time. */
  intent: z.object({ at: instantSchema, token: z.string().optional(), refusedAt: instantSchema.optional() }).optional(),
  /** No request before `until`. */
  pause: z.object({ until: instantSchema, because: z.enum(['limited', 'untold', 'failed', 'given-up']) }).optional(),
  /** Accounts that the last job did not finish, its token, and how often it was resumed. */
  left: z.object({ accounts: z.int(), token: z.string().optional(), resumed: z.int() }).optional(),
  /** When the last job was found completed. */
  doneAt: instantSchema.optional(),
  /** Consecutive failed jobs. */
  failures: z.int().default(0),
  /** A job that was given up; if it still runs, it is not waited for in full again. */
  lost: jobSchema.optional(),
});
export type WalletDocument = z.infer<typeof documentSchema>;
export type WalletDocuments = Collection<WalletDocument>;

/** A response of the service with its arrival; never cached. */
export interface WalletState {
  readonly overview: Pick<WalletOverview, 'snapshotAt' | 'limited' | 'retryAfterSeconds' | 'job'>;
  readonly at: Instant;
}

export const openWalletDocuments = (store: Store): WalletDocuments =>
  store.collection({ prefix: 'wallet', schema: documentSchema, version: 1 });

export const blank = (address: WalletAddress): WalletDocument => ({ address, partials: [], failures: 0 });
