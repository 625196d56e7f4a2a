/** /vesting <project> [view]: the team's package and its price targets. */
import { z } from 'zod';
import { reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { commandLine } from '../../src/replies/command-line.js';
import { choiceActions } from '../../src/replies/choices.js';
import { projectOption } from '../../src/replies/options.js';
import { packageView } from './package.js';
import { tranches } from './tranches.js';
import { unlocks } from './unlocks.js';
import type { ProjectView } from '../../src/replies/project-view.js';

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
    return reply({
      ...shown,
      actions: [
        ...choiceActions(NAMES, view, (other) => commandLine('vesting', project.slug, other)),
        { label: 'Holders', line: commandLine('holders', project.slug) },
        { label: 'ICO', line: commandLine('ico', project.slug) },
        { label: 'Watch', line: commandLine('watch', project.slug) },
      ],
    });
  },
});
