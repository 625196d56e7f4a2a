/** /movements <project> [view]: a treasury's inflows and outflows. */
import { z } from 'zod';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { movementsFile } from '../../src/analytics/endpoints/movements.js';
import { reply, type Reply } from '../../src/chat/reply.js';
import {
  csvFile,
  noExport,
  ages,
  counted,
  line,
  UserError,
  projectOption,
  viewReply,
  type ViewReply,
  type ProjectViewDeps,
} from '../../src/reply/index.js';
import { isNarrowed, filterText, filters, type MovementFilters } from './filters.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { labelsOf } from '../../src/dispatch/watchlists/wallets.js';
import { labeled } from './words.js';
import { list } from './list.js';
import { one } from './one.js';

/** Rejects with a `UserError` if the plan has no exports. */
async function file(deps: ProjectViewDeps & MovementFilters): Promise<ViewReply & Pick<Reply, 'files'>> {
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

const VIEWS = { list, labeled, filters, csv: file };
const NAMES = ['list', 'labeled', 'filters', 'csv'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'movements',
  summary: 'Payments in and out of a treasury',
  args: z.object({
    project: projectOption.optional().describe('project (not needed with a movement number)').meta({ complete: 'project' }),
    view: z.enum(NAMES).default('list').describe('what to show'),
    // Before the page option, so that a bare number is a movement; pages are named.
    movement: z
      .string()
      .regex(/^([Mm][Oo][Vv]-)?\d{1,18}$/)
      .optional()
      .describe('movement number, like MOV-123'),
    entity: z.enum(['DAO', 'OpCo']).optional().describe('DAO or OpCo (list only)'),
    page: z
      .string()
      .regex(/^[1-9]\d{0,3}$/)
      .default('1')
      .transform(Number)
      .describe('a page number, like page:2'),
    token: z.string().trim().min(1).optional().describe('token, like token:USDC'),
    category: z.string().trim().min(1).optional().describe('category or subcategory, like category:Payroll'),
    find: z.string().trim().min(1).optional().describe('text in names or notes, like find:audit'),
  }),
  examples: ['/movements tide', '/movements MOV-123', '/movements tide category:Payroll page:2', '/movements tide csv'],

  async run(
    { project: text, view, movement, entity, page, token, category, find },
    { analytics, directory, links, watchlists, chat, signal, now },
  ) {
    const labels = labelsOf(watchlists.read(chat));
    const project = text === undefined ? undefined : await directory.find(text, signal);
    if (movement !== undefined) return reply(await one({ analytics, id: movement, project, signal, links, labels }));
    if (project === undefined)
      throw new UserError('Which movements? Add a project, or a movement number like MOV-123.', { usage: 'movements' });
    const shown = await VIEWS[view]({ analytics, project, page, now, signal, labels, entity, token, category, find });
    return viewReply(shown, { command: 'movements', names: NAMES, view, slug: project.slug, others: ['counterparties', 'accounts'] });
  },
});
