/** Refresh state, `wallet/<address>`. Intents precede requests. */
import { z } from 'zod';
import type { WalletOverview } from '../../analytics/endpoints/wallets.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import { walletAddressSchema, type WalletAddress } from '../../domain/wallet.js';
import type { Collection, Store } from '../../store/store.js';

const jobSchema = z.object({
  id: z.string(),
  /** Absent: all tokens, or somebody else's job. */
  token: z.string().optional(),
  since: instantSchema,
});
export type FollowedJob = z.infer<typeof jobSchema>;

const documentSchema = z.object({
  address: walletAddressSchema,
  snapshotAt: instantSchema.optional(),
  /** Of all tokens. */
  wholeAt: instantSchema.optional(),
  partials: z.array(instantSchema).readonly().default([]),
  job: jobSchema.optional(),
  /** Unanswered. `refusedAt`: without a wait time. */
  intent: z.object({ at: instantSchema, token: z.string().optional(), refusedAt: instantSchema.optional() }).optional(),
  /** No request before `until`. */
  pause: z.object({ until: instantSchema, because: z.enum(['limited', 'untold', 'failed', 'given-up']) }).optional(),
  left: z.object({ accounts: z.int(), token: z.string().optional(), resumed: z.int() }).optional(),
  doneAt: instantSchema.optional(),
  /** In a row. */
  failures: z.int().default(0),
  /** Not followed again. */
  lost: jobSchema.optional(),
});
export type WalletDocument = z.infer<typeof documentSchema>;
export type WalletDocuments = Collection<WalletDocument>;

export interface WalletState {
  readonly overview: Pick<WalletOverview, 'snapshotAt' | 'limited' | 'retryAfterSeconds' | 'job'>;
  readonly at: Instant;
}

export const openWalletDocuments = (store: Store): WalletDocuments =>
  store.collection({ prefix: 'wallet', schema: documentSchema, version: 1 });

export const blank = (address: WalletAddress): WalletDocument => ({ address, partials: [], failures: 0 });
