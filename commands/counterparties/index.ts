/** /counterparties <project> [page]: who pays a project and whom it pays. */
import { z } from 'zod';
import { reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { list } from './list.js';
import { one } from './one.js';
import { commandLine } from '../../src/replies/command-line.js';
import { UserError } from '../../src/replies/user-error.js';
import { pageOption, projectOption } from '../../src/replies/options.js';

export default defineCommand({
  name: 'counterparties',
  summary: 'Whom a project pays, and who pays it',
  args: z.object({
    project: projectOption.optional().describe('a project; not needed with the number of a counterparty').meta({ complete: 'project' }),
    entity: z.enum(['DAO', 'OpCo']).optional().describe('with whom they deal'),
    page: pageOption,
    counterparty: z
      .string()
      .regex(/^#?\d{1,18}$/)
      .optional()
      .describe('one of them by its number, as #141'),
    find: z.string().trim().min(1).optional().describe('words in the name or kind'),
  }),
  examples: ['/counterparties tide', '/counterparties tide 2', '/counterparties tide find:router', '/counterparties #141'],

  async run({ project: text, entity, page, counterparty, find }, { analytics, directory, signal, now }) {
    const project = text === undefined ? undefined : await directory.find(text, signal);
    if (counterparty !== undefined) return reply(await one({ analytics, id: counterparty.replace('#', ''), project, signal }));
    if (project === undefined)
      throw new UserError('Whose counterparties? Name a project, or a counterparty by its number.', { usage: 'counterparties' });
    const shown = await list({ analytics, project, page, now, signal, find, entity });
    return reply({
      ...shown,
      actions: [
        ...(shown.actions ?? []),
        { label: 'Movements', line: commandLine('movements', project.slug) },
        { label: 'Accounts', line: commandLine('accounts', project.slug) },
      ],
    });
  },
});
