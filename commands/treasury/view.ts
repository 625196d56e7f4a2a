/** One way to look at a treasury: what it needs, and the part of the reply it makes. Buttons are the command's. */
import type { Analytics } from '../../src/analytics/analytics.js';
import type { Project } from '../../src/domain/project.js';
import type { Instant } from '../../src/domain/scalars.js';
import type { ViewReply } from '../../src/replies/view.js';

export interface TreasuryViewDeps {
  readonly analytics: Analytics;
  readonly project: Project;
  /** A past moment, ISO 8601, for the views that can be asked about one. */
  readonly timestamp?: string | undefined;
  readonly now: Instant;
  readonly signal: AbortSignal | undefined;
}

/** Of a past moment it also says from when the snapshot is. Rejects with an `AnalyticsError` when there is nothing to show. */
export type TreasuryView = (deps: TreasuryViewDeps) => Promise<ViewReply & { readonly snapshotAt?: Instant | undefined }>;
