/** /treasury <project> [view]: what backs a token, how much of it there is, and how long it lasts. */
import { z } from 'zod';
import { defineCommand } from '../src/dispatch/command.js';
import { choiceActions, projectOption } from '../src/dispatch/parts.js';
import { lineOf } from '../src/dispatch/line.js';
import { allocation } from '../src/dispatch/treasury/allocation.js';
import { history } from '../src/dispatch/treasury/history.js';
import { holdings } from '../src/dispatch/treasury/holdings.js';
import { native } from '../src/dispatch/treasury/native.js';
import { nav } from '../src/dispatch/treasury/nav.js';
import { runway } from '../src/dispatch/treasury/runway.js';
import { summary } from '../src/dispatch/treasury/summary.js';
import type { View } from '../src/dispatch/treasury/view.js';
import { reply } from '../src/chat/reply.js';

const VIEWS = { summary, holdings, allocation, history, nav, runway, native } satisfies Record<string, View>;
const NAMES = [
  'summary',
  'holdings',
  'allocation',
  'history',
  'nav',
  'runway',
  'native',
] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'treasury',
  summary: 'What backs a token, and how long it lasts',
  args: z.object({ project: projectOption, view: z.enum(NAMES).default('summary').describe('what to show of it') }),
  examples: ['/treasury tide', '/treasury tide holdings', '/treasury project:"Heron Flats" view:runway'],

  async run({ project: text, view }, { analytics, directory, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, now, signal });
    return reply({
      ...shown,
      actions: [
        ...choiceActions(NAMES, view, (other) => lineOf('treasury', project.slug, other)),
        { label: 'Accounts', line: lineOf('accounts', project.slug, 'active') },
        { label: 'Premium', line: lineOf('premium', project.slug, '3M') },
        { label: 'Watch', line: lineOf('watch', project.slug) },
      ],
    });
  },
});
