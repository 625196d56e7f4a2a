/** /ico <project> [view] [page]: a token sale and its result. */
import { z } from 'zod';
import { defineCommand } from '../../src/dispatch/command.js';
import { contributors } from './contributors.js';
import { investors } from './investors.js';
import { terms } from './terms.js';
import { pageOption, projectOption, viewReply, type ProjectView } from '../../src/reply/index.js';

const VIEWS = { terms, contributors, investors } satisfies Record<string, ProjectView>;
const NAMES = ['terms', 'contributors', 'investors'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'ico',
  summary: 'ICO terms, contributors and investors',
  args: z.object({ project: projectOption, view: z.enum(NAMES).default('terms').describe('what to show'), page: pageOption }),
  examples: ['/ico tide', '/ico tide contributors', '/ico tide investors 2'],

  async run({ project: text, view, page }, { analytics, directory, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, page, now, signal });
    return viewReply(shown, { command: 'ico', names: NAMES, view, slug: project.slug, others: ['launches', 'vesting'] });
  },
});
