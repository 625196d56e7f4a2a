/** /vesting <project> [view]: the team's package and its price targets. */
import { z } from 'zod';
import { defineCommand } from '../../src/dispatch/command.js';
import { projectOption, viewReply, type ProjectView } from '../../src/reply/index.js';
import { packageView } from './package.js';
import { tranches } from './tranches.js';
import { unlocks } from './unlocks.js';

const VIEWS = { package: packageView, tranches, unlocks } satisfies Record<string, ProjectView>;
const NAMES = ['package', 'tranches', 'unlocks'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'vesting',
  summary: 'Team tokens: price targets and unlocks',
  args: z.object({ project: projectOption, view: z.enum(NAMES).default('package').describe('what to show') }),
  examples: ['/vesting tide', '/vesting tide tranches', '/vesting tide unlocks'],

  async run({ project: text, view }, { analytics, directory, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, page: 1, now, signal });
    return viewReply(shown, { command: 'vesting', names: NAMES, view, slug: project.slug, others: ['holders', 'ico', 'watch'] });
  },
});
