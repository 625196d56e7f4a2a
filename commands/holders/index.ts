/** /holders <project> [view] [page]: who holds a token. */
import { z } from 'zod';
import { defineCommand } from '../../src/dispatch/command.js';
import { distribution } from './distribution.js';
import { ranking } from './ranking.js';
import { labelsOf } from '../../src/dispatch/watchlists/targets.js';
import { pageOption, projectOption, viewReply, type ProjectView } from '../../src/reply/index.js';

const VIEWS = { ranking, distribution } satisfies Record<string, ProjectView>;
const NAMES = ['ranking', 'distribution'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'holders',
  summary: 'Largest holders and supply distribution',
  args: z.object({ project: projectOption, view: z.enum(NAMES).default('ranking').describe('what to show'), page: pageOption }),
  examples: ['/holders tide', '/holders tide ranking 2', '/holders tide distribution'],

  async run({ project: text, view, page }, { analytics, directory, watchlists, chat, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, page, now, signal, labels: labelsOf(watchlists.read(chat)) });
    return viewReply(shown, { command: 'holders', names: NAMES, view, slug: project.slug, others: ['vesting', 'watch'] });
  },
});
