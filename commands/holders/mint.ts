/** The mint of a project's token, by which its holders are asked for: a slug would not do. */
import { marketMetrics, projectOverview } from '../../src/analytics/endpoints/project.js';
import { publicKeySchema } from '../../src/domain/wallet.js';
import { needOne, optional } from '../../src/replies/optional.js';
import type { ProjectViewDeps } from '../../src/replies/view.js';

const known = (mint: string | undefined): string | undefined => publicKeySchema.safeParse(mint).data;

/**
 * From what is known already, else from the project's overview, else from its market metrics; undefined where none of them names one. Rejects with
 * an `AnalyticsError` when nobody could be asked.
 */
export async function mintOf({
  analytics,
  project,
  signal,
}: Pick<ProjectViewDeps, 'analytics' | 'project' | 'signal'>): Promise<string | undefined> {
  const before = known(project.mint);
  if (before !== undefined) return before;
  const input = { slug: project.slug };
  const overview = await optional(analytics.call(projectOverview, input, { signal }));
  const first = known(overview.answer?.data.mint);
  if (first !== undefined) return first;
  const metrics = await optional(analytics.call(marketMetrics, input, { signal }));
  needOne(overview, metrics);
  return known(metrics.answer?.data.mint);
}
