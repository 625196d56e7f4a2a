/** View of a treasury. */
import type { Analytics } from '../../src/analytics/analytics.js';
import type { Project } from '../../src/domain/project.js';
import type { Instant } from '../../src/domain/scalars.js';
import type { ViewReply } from '../../src/reply/index.js';

export interface TreasuryViewDeps {
  readonly analytics: Analytics;
  readonly project: Project;
  /** ISO 8601, where supported. */
  readonly timestamp?: string | undefined;
  readonly now: Instant;
  readonly signal: AbortSignal | undefined;
}

/** With the moment of a past snapshot. Rejects with an `AnalyticsError`. */
export type TreasuryView = (deps: TreasuryViewDeps) => Promise<ViewReply & { readonly snapshotAt?: Instant | undefined }>;
