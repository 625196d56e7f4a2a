/** /finances <project> [view] [range]: revenue and expenses by month. */
import { z } from 'zod';
import { reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { both } from './revenue-and-expenses.js';
import { RANGES } from './months.js';
import { expense, revenue } from './one-side.js';
import type { FinanceView } from './view.js';
import { commandLine, commandActions, choiceActions, projectOption } from '../../src/reply/index.js';

const VIEWS = { both, revenue, expenses: expense } satisfies Record<string, FinanceView>;
const NAMES = ['both', 'revenue', 'expenses'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'finances',
  summary: 'Revenue and expenses of a project',
  args: z.object({
    project: projectOption,
    view: z.enum(NAMES).default('both').describe('what to show'),
    range: z.enum(RANGES).default('1Y').describe('time range'),
  }),
  examples: ['/finances tide', '/finances tide expenses', '/finances tide revenue ALL'],

  async run({ project: text, view, range }, { analytics, directory, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, range, now, signal });
    return reply({
      ...shown,
      actions: [
        ...choiceActions(NAMES, view, (other) => commandLine('finances', project.slug, other, range)),
        ...choiceActions(RANGES, range, (other) => commandLine('finances', project.slug, view, other)),
        ...commandActions(project.slug, 'treasury', 'watch'),
      ],
    });
  },
});
