/** /counterparties <project> [page]: who pays a project and whom it pays. */
import { z } from 'zod';
import { reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { list } from './list.js';
import {
  UserError,
  ages,
  commandActions,
  commandLine,
  counted,
  dotted,
  line,
  optional,
  ownershipWarning,
  pageOption,
  projectOption,
  type ViewReply,
} from '../../src/reply/index.js';
import type { Analytics } from '../../src/analytics/analytics.js';
import { counterparties, counterpartyDetail } from '../../src/analytics/endpoints/counterparties.js';
import { UNKNOWN } from '../../src/domain/format.js';
import type { Project } from '../../src/domain/project.js';

export default defineCommand({
  name: 'counterparties',
  summary: 'Who the project pays and gets paid by',
  args: z.object({
    project: projectOption.optional().describe('project (not needed with a counterparty number)').meta({ complete: 'project' }),
    entity: z.enum(['DAO', 'OpCo']).optional().describe('DAO or OpCo'),
    page: pageOption,
    counterparty: z
      .string()
      .regex(/^#?\d{1,18}$/)
      .optional()
      .describe('counterparty number, like #141'),
    find: z.string().trim().min(1).optional().describe('text in the name or kind'),
  }),
  examples: ['/counterparties tide', '/counterparties tide 2', '/counterparties tide find:router', '/counterparties #141'],

  async run({ project: text, entity, page, counterparty, find }, { analytics, directory, signal, now }) {
    const project = text === undefined ? undefined : await directory.find(text, signal);
    if (counterparty !== undefined) return reply(await one({ analytics, id: counterparty.replace('#', ''), project, signal }));
    if (project === undefined)
      throw new UserError('Which counterparties? Add a project, or a counterparty number like #141.', { usage: 'counterparties' });
    const shown = await list({ analytics, project, page, now, signal, find, entity });
    return reply({
      ...shown,
      actions: [...(shown.actions ?? []), ...commandActions(project.slug, 'movements', 'accounts')],
    });
  },
});

interface CounterpartyDeps {
  readonly analytics: Analytics;
  readonly id: string;
  readonly project: Project | undefined;
  readonly signal: AbortSignal | undefined;
}

/** One counterparty with all its known addresses. Rejects with a `UserError` if the counterparty belongs to another project. */
async function one({ analytics, id, project, signal }: CounterpartyDeps): Promise<ViewReply> {
  const answer = await analytics.call(counterpartyDetail, { id }, { signal });
  const { name, type, notes, entityType, contractLink, addresses } = answer.data;
  const doubt =
    project &&
    ownershipWarning({
      what: 'counterparty',
      project,
      list: await optional(analytics.walk(counterparties, { slug: project.slug }, (row) => row.id, { signal })),
      id,
    });
  const slug = doubt === undefined ? project?.slug : undefined;
  return {
    finding: [
      { strong: name ?? `Counterparty ${id}` },
      `: ${type ?? `kind ${UNKNOWN}`}, ${counted(addresses.length, 'address', 'addresses')}`,
    ],
    blocks: [
      ...(doubt === undefined ? [] : [doubt]),
      line(...dotted(entityType === undefined ? undefined : `Deals with ${entityType}`, notes)),
      {
        kind: 'list',
        items: addresses.map(({ address, chain }) => ({ line: [{ code: address }, chain === undefined ? '' : ` on ${chain}`] })),
      },
      ...(contractLink === undefined ? [] : [line(`Contract ${contractLink}`)]),
    ],
    actions: [
      ...(slug === undefined
        ? []
        : [
            { label: 'All counterparties', line: commandLine('counterparties', slug) },
            { label: 'Movements', line: commandLine('movements', slug) },
          ]),
      { label: 'Refresh', line: commandLine('counterparties', ...(slug === undefined ? [] : [slug]), `counterparty:${id}`) },
    ],
    ...ages(answer),
  };
}
