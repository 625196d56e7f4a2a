/** The view of a project in a command. */
import type { Analytics } from '../analytics/analytics.js';
import type { ActionDraft, BlockDraft, Line, Reply, Tone } from '../chat/reply.js';
import type { ChartDraft } from '../chat/chart.js';
import type { Project } from '../domain/project.js';
import type { Instant } from '../domain/scalars.js';

export interface ProjectViewDeps {
  readonly analytics: Analytics;
  readonly project: Project;
  readonly page: number;
  readonly now: Instant;
  readonly signal: AbortSignal | undefined;
}

export interface ViewReply extends Pick<Reply, 'asOf' | 'stale'> {
  readonly tone?: Tone;
  readonly finding: Line;
  readonly blocks: readonly BlockDraft[];
  readonly links?: Reply['links'];
  readonly actions?: readonly ActionDraft[];
  readonly chart?: ChartDraft | undefined;
  readonly files?: Reply['files'];
}

/** Rejects with an `AnalyticsError` when there is nothing to show. */
export type ProjectView = (deps: ProjectViewDeps) => Promise<ViewReply>;
