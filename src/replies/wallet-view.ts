/** View of a wallet. */
import type { Analytics } from '../analytics/analytics.js';
import type { RefreshStanding } from '../domain/wallet-refresh.js';
import type { Instant } from '../domain/scalars.js';
import type { ViewReply } from './project-view.js';
import type { NamedWallet } from './wallet-name.js';

export interface WalletViewDeps {
  readonly analytics: Analytics;
  readonly wallet: NamedWallet;
  readonly of: string | undefined;
  readonly page: number;
  readonly maxAge: number;
  readonly standing: RefreshStanding;
  readonly now: Instant;
  readonly zone: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface WalletViewReply extends ViewReply {
  /** The service has no snapshot of the wallet. */
  readonly unread?: boolean;
}

/** Rejects with an `AnalyticsError` when there is nothing to show. */
export type WalletView = (deps: WalletViewDeps) => Promise<WalletViewReply>;
