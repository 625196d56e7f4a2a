/** View of a project's finances, with the range. */
import type { ViewReply, ProjectViewDeps } from '../../src/reply/index.js';
import type { Range } from './months.js';

export interface FinanceViewDeps extends Omit<ProjectViewDeps, 'page'> {
  readonly range: Range;
}

/** Rejects with an `AnalyticsError` when there is nothing to show. */
export type FinanceView = (deps: FinanceViewDeps) => Promise<ViewReply>;
