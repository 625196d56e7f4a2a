/** All movements as a file that a spreadsheet opens without running anything in it. The service narrows its file by nothing (§4.10). */
import { AnalyticsError } from '../../src/analytics/errors.js';
import { movementsFile } from '../../src/analytics/endpoints/movements.js';
import type { Reply } from '../../src/chat/reply.js';
import { csvFile, noExport } from '../../src/replies/csv.js';
import { ages } from '../../src/replies/age.js';
import { counted, line } from '../../src/replies/blocks.js';
import type { Shown, ViewNeeds } from '../../src/replies/view.js';
import { isNarrowed, said, type Filters } from './filter-text.js';

/** Rejects with a `UserMistake` where the plan has no exports. */
export async function file(needs: ViewNeeds & Filters): Promise<Shown & Pick<Reply, 'files'>> {
  const { analytics, project, signal } = needs;
  const answer = await analytics.call(movementsFile, { slug: project.slug }, { signal }).catch((error: unknown) => {
    throw error instanceof AnalyticsError ? noExport(error) : error;
  });
  const { files, note } = csvFile({ name: `${project.slug}-movements`, table: answer.data });
  return {
    finding: [{ strong: `${project.name}: ${counted(answer.data.records.length, 'movement')} as a file` }],
    blocks: [
      note,
      ...(isNarrowed(needs) ? [line(`⚠ It holds all movements, not only those ${said(needs)}: the service narrows no file.`)] : []),
    ],
    files,
    ...ages(answer),
  };
}
