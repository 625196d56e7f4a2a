/** All movements as CSV. The export takes no filters (§4.10). */
import { AnalyticsError } from '../../src/analytics/errors.js';
import { movementsFile } from '../../src/analytics/endpoints/movements.js';
import type { Reply } from '../../src/chat/reply.js';
import { csvFile, noExport, ages, counted, line, type ViewReply, type ProjectViewDeps } from '../../src/reply/index.js';
import { isNarrowed, filterText, type MovementFilters } from './filter-text.js';

/** Rejects with a `UserError` if the plan has no exports. */
export async function file(deps: ProjectViewDeps & MovementFilters): Promise<ViewReply & Pick<Reply, 'files'>> {
  const { analytics, project, signal } = deps;
  const answer = await analytics.call(movementsFile, { slug: project.slug }, { signal }).catch((error: unknown) => {
    throw error instanceof AnalyticsError ? noExport(error) : error;
  });
  const { files, note } = csvFile({ name: `${project.slug}-movements`, table: answer.data });
  return {
    finding: [{ strong: `${project.name}: ${counted(answer.data.records.length, 'movement')} (CSV)` }],
    blocks: [note, ...(isNarrowed(deps) ? [line(`⚠ All movements: filters (${filterText(deps)}) don't apply to files.`)] : [])],
    files,
    ...ages(answer),
  };
}
