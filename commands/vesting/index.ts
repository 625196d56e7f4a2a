/** /vesting <project> [view]: what the team gets, at which price, and how far the price is from it. */
import { z } from 'zod';
import { reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { lineOf } from '../../src/replies/command-line.js';
import { choiceActions } from '../../src/replies/choices.js';
import { projectOption } from '../../src/replies/options.js';
import { packageView } from './package.js';
import { tranches } from './tranches.js';
import { unlocks } from './unlocks.js';
import type { View } from '../../src/replies/view.js';

const VIEWS = { package: packageView, tranches, unlocks } satisfies Record<string, View>;
const NAMES = ['package', 'tranches', 'unlocks'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'vesting',
  summary: 'What the team gets, and at which price',
  args: z.object({ project: projectOption, view: z.enum(NAMES).default('package').describe('what to show of it') }),
  examples: ['/vesting tide', '/vesting tide tranches', '/vesting tide unlocks'],

  async run({ project: text, view }, { analytics, directory, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, page: 1, now, signal });
    return reply({
      ...shown,
      actions: [
        ...choiceActions(NAMES, view, (other) => lineOf('vesting', project.slug, other)),
        { label: 'Holders', line: lineOf('holders', project.slug) },
        { label: 'ICO', line: lineOf('ico', project.slug) },
        { label: 'Watch', line: lineOf('watch', project.slug) },
      ],
    });
  },
});
