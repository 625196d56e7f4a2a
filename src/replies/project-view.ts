/** View of a project in a command. */
import type { Analytics } from '../analytics/analytics.js';
import { reply, type ActionDraft, type BlockDraft, type Line, type Reply, type Tone } from '../chat/reply.js';
import type { ChartDraft } from '../chat/chart.js';
import type { Project } from '../domain/project.js';
import type { Instant } from '../domain/scalars.js';
import { choiceActions, commandActions } from './choices.js';
import { commandLine } from './command-line.js';
import type { WalletLabels } from './wallet-name.js';

export interface ProjectViewDeps {
  readonly analytics: Analytics;
  readonly project: Project;
  readonly page: number;
  readonly now: Instant;
  readonly signal: AbortSignal | undefined;
  /** Of the chat's watchlist. */
  readonly labels?: WalletLabels;
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

interface ViewButtons {
  readonly command: string;
  readonly names: readonly string[];
  readonly view: string;
  readonly slug: string;
  readonly others: readonly string[];
}

export const viewReply = (shown: ViewReply, { command, names, view, slug, others }: ViewButtons): Reply =>
  reply({
    ...shown,
    actions: [
      ...choiceActions(names, view, (other) => commandLine(command, slug, other)),
      ...(shown.actions ?? []),
      ...commandActions(slug, ...others),
    ],
  });
