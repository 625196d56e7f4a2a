/** /counterparties <project> [page]: who pays a project and whom it pays. */
import { z } from 'zod';
import { reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import {
  PAGE_SIZE,
  UserError,
  ages,
  commandActions,
  commandLine,
  counted,
  countedRows,
  dotted,
  formOption,
  line,
  listPage,
  namedWords,
  optionalProject,
  ownershipOf,
  pageOption,
  servicePage,
  textOption,
  type ProjectViewDeps,
  type ViewReply,
} from '../src/reply/index.js';
import { counterparties, counterpartyDetail, type Counterparty } from '../src/analytics/endpoints/counterparties.js';
import { UNKNOWN } from '../src/domain/format.js';
import type { Project } from '../src/domain/project.js';
import type { Slug } from '../src/domain/scalars.js';
import { brief } from '../src/base/one-line.js';

interface CounterpartyListDeps extends ProjectViewDeps {
  readonly find: string | undefined;
  readonly entity: string | undefined;
}

const MAX_BUTTONS = 5;

async function list({ analytics, project, page, signal, find, entity }: CounterpartyListDeps): Promise<ViewReply> {
  const read = servicePage(
    await analytics.call(counterparties, { slug: project.slug, limit: PAGE_SIZE, page, q: find, entityType: entity }, { signal }),
    page,
  );
  const narrowed = `${entity === undefined ? '' : ` (${brief(entity)})`}${find === undefined ? '' : ` matching "${brief(find)}"`}`;
  return listPage(read, {
    found: (where) => [{ strong: `${project.name}: ${countedRows(read, 'counterparty', 'counterparties')}${narrowed}` }, where],
    of: project.name,
    none: `${project.name}: no counterparties${narrowed}`,
    blocks: [{ kind: 'list', items: read.rows.map(item) }],
    to: (other) => commandLine('counterparties', project.slug, ...namedWords({ entity, find }), `page:${other}`),
    actions: (pages) => [
      ...read.rows
        .slice(0, MAX_BUTTONS)
        .map((one) => ({ label: nameOf(one), line: commandLine('counterparties', project.slug, `counterparty:${one.id}`) })),
      ...pages,
      ...commandActions(project.slug, 'movements', 'accounts'),
    ],
  });
}

const nameOf = ({ name, id }: Counterparty): string => name ?? `counterparty ${id}`;

const item = (one: Counterparty) => ({
  line: [{ strong: nameOf(one) }, ` #${one.id}`],
  detail: dotted(one.type ?? `kind ${UNKNOWN}`, one.entityType, counted(one.addresses.length, 'address', 'addresses'), one.notes),
});

export default defineCommand({
  name: 'counterparties',
  summary: 'Who the project pays and gets paid by',
  args: z.object({
    project: optionalProject('project (not needed with a counterparty number)'),
    entity: z.enum(['DAO', 'OpCo']).optional().describe('DAO or OpCo'),
    page: pageOption,
    counterparty: formOption(/^#?\d{1,18}$/, 'counterparty number, like #141'),
    find: textOption('text in the name or kind'),
  }),
  examples: ['/counterparties tide', '/counterparties tide 2', '/counterparties tide find:router', '/counterparties #141'],
  phrases: {
    '/counterparties {project} {entity?} {page?}': `who does {project} pay | counterparties of {project} | {project} counterparties | whom does {project} pay | who gets paid by
      {project} | vendors of {project} | contractors of {project} | who gets money from {project} | to whom does {project} send its
      money | suppliers {project} | who are the payees of {project} | to who pays {project} its bills | biggest recipients of
      {project} money`,
    '/counterparties {project} find:{words}': `does {project} have a counterparty called router | counterparties of {project} with "audit" in the name | find
      counterparty {project} lawyers | is there a router in the counterparties of {project}`,
    '/counterparties {counterparty}': `counterparty #141 | who is counterparty #12`,
  },

  async run({ project: text, entity, page, counterparty, find }, { analytics, directory, signal, now }) {
    const project = text === undefined ? undefined : await directory.find(text, signal);
    if (counterparty !== undefined) return reply(await one({ analytics, id: counterparty.replace('#', ''), project, signal }));
    if (project === undefined)
      throw new UserError('Which counterparties? Add a project, or a counterparty number like #141.', { usage: 'counterparties' });
    return reply(await list({ analytics, project, page, now, signal, find, entity }));
  },
});

interface CounterpartyDeps extends Pick<ProjectViewDeps, 'analytics' | 'signal'> {
  readonly id: string;
  readonly project: Project | undefined;
}

/** Shows a counterparty with all its known addresses. Rejects with a `UserError` if the counterparty belongs to another project. */
async function one({ analytics, id, project, signal }: CounterpartyDeps): Promise<ViewReply> {
  const answer = await analytics.call(counterpartyDetail, { id }, { signal });
  const { name, type, notes, entityType, contractLink, addresses } = answer.data;
  const list = async (of: Slug) => analytics.walk(counterparties, { slug: of }, (row) => row.id, { signal });
  const { slug, doubt } = await ownershipOf({ what: 'counterparty', project, id, list });
  return {
    finding: [
      { strong: name ?? `Counterparty ${id}` },
      `: ${type ?? `kind ${UNKNOWN}`}, ${counted(addresses.length, 'address', 'addresses')}`,
    ],
    blocks: [
      ...doubt,
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
      { label: 'Refresh', line: commandLine('counterparties', slug, `counterparty:${id}`) },
    ],
    ...ages(answer),
  };
}
