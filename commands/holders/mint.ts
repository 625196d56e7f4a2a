/** Mint of a project's token. */
import { marketMetrics, projectOverview } from '../../src/analytics/endpoints/project.js';
import { publicKeySchema } from '../../src/domain/wallet.js';
import { needOne, optional, type ProjectViewDeps } from '../../src/reply/index.js';

const known = (mint: string | undefined): string | undefined => publicKeySchema.safeParse(mint).data;

/** Rejects with an `AnalyticsError` if no source could be read. */
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
