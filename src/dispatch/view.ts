/** One way to look at a project: what it needs, and the part of the reply it makes. The buttons that every view has are the command's. */
import type { Analytics } from '../analytics/analytics.js';
import type { ActionDraft, BlockDraft, Line, Reply } from '../chat/reply.js';
import type { ChartDraft } from '../chat/chart.js';
import type { Project } from '../domain/project.js';
import type { Instant } from '../domain/scalars.js';

export interface ViewNeeds {
  readonly analytics: Analytics;
  readonly project: Project;
  readonly page: number;
  readonly now: Instant;
  readonly signal: AbortSignal | undefined;
}

export interface Shown extends Pick<Reply, 'asOf' | 'stale'> {
  readonly finding: Line;
  readonly blocks: readonly BlockDraft[];
  /** Where this view leads, beside the other views. */
  readonly actions?: readonly ActionDraft[];
  readonly chart?: ChartDraft;
}

/** Rejects with an `AnalyticsError` when there is nothing to show. */
export type View = (needs: ViewNeeds) => Promise<Shown>;
