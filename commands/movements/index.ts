/** /movements <project> [view]: a treasury's inflows and outflows. */
import { z } from 'zod';
import { AnalyticsError } from '../../src/analytics/errors.js';
import {
  classOf,
  labelledParties,
  movementDetail,
  movements,
  movementsFile,
  partyName,
  type Party,
} from '../../src/analytics/endpoints/movements.js';
import { reply, type BlockDraft, type Reply } from '../../src/chat/reply.js';
import {
  UserError,
  ages,
  commandLine,
  counted,
  csvFile,
  dotted,
  formOption,
  line,
  noExport,
  optionalProject,
  ownershipOf,
  pageOption,
  textOption,
  viewReply,
  type ProjectViewDeps,
  type ViewReply,
  type WalletLabels,
} from '../../src/reply/index.js';
import { exactly, filterText, filters, isNarrowed, labeled, list, type MovementFilters } from './list.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { labelsOf } from '../../src/dispatch/watchlists/targets.js';
import { UNKNOWN } from '../../src/domain/format.js';
import type { MakeLinks } from '../../src/domain/links.js';
import type { Project } from '../../src/domain/project.js';
import type { Slug } from '../../src/domain/scalars.js';

interface MovementDeps extends Pick<ProjectViewDeps, 'analytics' | 'signal'> {
  readonly id: string;
  readonly project: Project | undefined;
  readonly links: MakeLinks;
  readonly labels: WalletLabels;
}

/** Shows a movement by number, with or without `MOV-`. Rejects with a `UserError` if the movement belongs to another project. */
async function one({ analytics, id, project, signal, links, labels }: MovementDeps): Promise<ViewReply> {
  const answer = await analytics.call(movementDetail, { id }, { signal });
  const data = labelledParties(answer.data, labels);
  const owned = async (of: Slug) => analytics.walk(movements, { slug: of }, (row) => row.id, { signal });
  const { slug, doubt } = await ownershipOf({ what: 'movement', project, id: data.id, list: owned });
  return {
    finding: [{ strong: `MOV-${data.id}: ${exactly(data)}` }, ` ${partyName(data.from)} → ${partyName(data.to)}`],
    blocks: [
      ...doubt,
      line(...dotted(data.at === undefined ? 'time n/a' : [{ at: data.at }], data.kind, classOf(data), data.status, data.entityType)),
      ...party('From', data.from),
      ...party('To', data.to),
      ...(data.counterparty === undefined
        ? []
        : [line(`With ${partyName(data.counterparty)}${data.counterparty.type === undefined ? '' : ` (${data.counterparty.type})`}`)]),
      ...(data.note === undefined ? [] : [line(`Note: ${data.note}`)]),
      line('Transaction ', data.transaction === undefined ? UNKNOWN : { code: data.transaction }),
    ],
    links: links([{ to: 'transaction', signature: data.transaction }]),
    actions: [
      ...(data.counterparty?.id === undefined
        ? []
        : [
            {
              label: 'Counterparty',
              line: commandLine('counterparties', slug, `counterparty:${data.counterparty.id}`),
            },
          ]),
      ...(slug === undefined
        ? []
        : [
            { label: 'All movements', line: commandLine('movements', slug) },
            { label: 'Accounts', line: commandLine('accounts', slug) },
          ]),
      { label: 'Refresh', line: commandLine('movements', slug, `movement:${data.id}`) },
    ],
    ...ages(answer),
  };
}

const party = (label: string, one: Party | undefined): readonly BlockDraft[] =>
  one?.address === undefined ? [] : [line(`${label} `, { code: one.address })];

/** Makes a CSV file. Rejects with a `UserError` if the plan has no exports. */
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
    project: optionalProject('project (not needed with a movement number)'),
    view: z.enum(NAMES).default('list').describe('what to show'),
    // This option precedes `page`, so that a number alone is a movement; a page needs its name.
    movement: formOption(/^([Mm][Oo][Vv]-)?\d{1,18}$/, 'movement number, like MOV-123'),
    entity: z.enum(['DAO', 'OpCo']).optional().describe('DAO or OpCo (list only)'),
    page: pageOption.describe('a page number, like page:2'),
    token: textOption('token, like token:USDC'),
    category: textOption('category or subcategory, like category:Payroll'),
    find: textOption('text in names or notes, like find:audit'),
  }),
  examples: ['/movements tide', '/movements MOV-123', '/movements tide category:Payroll page:2', '/movements tide csv'],
  phrases: {
    '/movements {project} labeled': `labeled movements of {project} | {project} labelled txs | movements of {project} with labels | named payments of {project}`,
    '/movements {project} filters': `filters of the movements of {project} | which categories can I filter the {project} movements by | movement categories {project}`,
    '/movements {project} {entity?} {category?} {token?} {page?}': `movements of {project} | {project} movements | treasury movements of {project} | payments of {project} | latest payments of
      {project} | {project} transactions | outflows of {project} | what left the treasury of {project} | inflows and outflows
      {project} | recent transfers {project} | {project} usdc movements | usdc out of the {project} treasury | payroll of {project} |
      any payroll payments out of the {project} treasury | what came into the treasury of {project} | last payments that went out from
      the treasury of {project} | treasury transactions of {project} | where did the money of {project} go recently | show the latest
      payments that left {project} | in and outflows of {project}`,
    '/movements {project} csv': `movements of {project} as csv | csv of {project} treasury transactions | export the movements of {project} | download {project}
      payments | spreadsheet of the {project} payments | {project} transactions excel | csv {project} movements`,
    '/movements {movement}': `what is MOV-123 | MOV-123 | show movement MOV-12 | explain MOV-123 | what is this movement MOV-318 about`,
    '/movements {project} find:{words}': `did {project} pay for audits | payments of {project} about audits | find marketing payments of {project} | did {project} pay
      somebody for an audit | how much did {project} pay for marketing`,
  },

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
