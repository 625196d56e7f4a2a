/** One way to look at a wallet: what it needs, and the part of the reply it makes. The buttons that every view has are the command's. */
import type { Analytics } from '../analytics/analytics.js';
import type { RefreshStanding } from '../domain/refresh.js';
import type { Instant } from '../domain/scalars.js';
import type { ViewReply } from './view.js';
import type { NamedWallet } from './wallet-name.js';

export interface WalletViewDeps {
  readonly analytics: Analytics;
  readonly wallet: NamedWallet;
  /** What of it: a token, or a proposal's public key; undefined where nothing was named. */
  readonly of: string | undefined;
  readonly page: number;
  readonly maxAge: number;
  readonly standing: RefreshStanding;
  readonly now: Instant;
  readonly signal: AbortSignal | undefined;
}

/** Rejects with an `AnalyticsError` when there is nothing to show. */
export type WalletView = (deps: WalletViewDeps) => Promise<ViewReply>;
