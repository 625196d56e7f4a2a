/** /accounts <project> [view] [page]: the accounts of a project. */
import { z } from 'zod';
import { reply } from '../../src/chat/reply.js';
import { active } from './active.js';
import { custody } from './custody.js';
import { groups } from './groups.js';
import { legacy } from './legacy.js';
import { list } from './list.js';
import { one } from './one.js';
import { registry } from './registry.js';
import type { AccountView } from './view.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { UserError, notOfProject, viewReply, pageOption, projectOption } from '../../src/reply/index.js';

const VIEWS = { list, active, groups, legacy, registry, custody } satisfies Record<string, AccountView>;
const NAMES = ['list', 'active', 'groups', 'legacy', 'registry', 'custody'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'accounts',
  summary: 'Accounts of a project and their balances',
  args: z.object({
    project: projectOption.optional().describe('project (not needed with an account number)').meta({ complete: 'project' }),
    view: z.enum(NAMES).default('list').describe('what to show'),
    entity: z.enum(['DAO', 'OpCo']).optional().describe('DAO or OpCo (list only)'),
    state: z.enum(['open', 'retired']).optional().describe('open or retired (list only)'),
    page: pageOption,
    account: z
      .string()
      .regex(/^#?\d{1,18}$/)
      .optional()
      .describe('account number, like #101'),
    find: z.string().trim().min(1).optional().describe('text in name, address or venue (list only)'),
  }),
  examples: ['/accounts tide', '/accounts tide active', '/accounts tide list entity:OpCo', '/accounts #101'],

  async run({ project: text, view, entity, state, page, account, find }, { analytics, directory, signal, now }) {
    const project = text === undefined ? undefined : await directory.find(text, signal);
    if (account !== undefined) {
      const shown = await one({ analytics, id: account.replace('#', ''), signal });
      if (project !== undefined && shown.slug !== undefined && shown.slug !== project.slug) throw notOfProject('account', project);
      return reply(shown);
    }
    if (project === undefined) throw new UserError('Which accounts? Add a project, or an account number like #101.', { usage: 'accounts' });
    const shown = await VIEWS[view]({ analytics, project, page, now, signal, find, entity, state });
    return viewReply(shown, { command: 'accounts', names: NAMES, view, slug: project.slug, others: ['movements', 'treasury'] });
  },
});
