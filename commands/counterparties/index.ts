/** /counterparties <project> [page]: who pays a project and whom it pays. */
import { z } from 'zod';
import { reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { list } from './list.js';
import { one } from './one.js';
import { commandActions, UserError, pageOption, projectOption } from '../../src/reply/index.js';

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
