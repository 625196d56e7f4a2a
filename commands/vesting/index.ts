/** /vesting <project> [view]: the team's package and its price targets. */
import { z } from 'zod';
import { defineCommand } from '../../src/dispatch/command.js';
import { ages, brokenRows, line, missingText, optional, projectOption, viewReply, type ProjectView } from '../../src/reply/index.js';
import { packageView } from './package.js';
import { unlocks } from './unlocks.js';
import { trancheLadder, unlockSchedule } from '../../src/analytics/endpoints/holders.js';
import { amount, price, times } from '../../src/domain/format.js';
import { isPast, ladderOf, twapNow } from '../../src/analytics/tranche-ladder.js';
import { cliffLine, distanceText, headline, stateText, waitingText } from './words.js';

/** Every tranche with its price target. */
const tranches: ProjectView = async ({ analytics, project, now, signal }) => {
  const input = { slug: project.slug };
  const [ladder, schedule] = await Promise.all([
    analytics.call(trancheLadder, input, { signal }),
    optional(analytics.call(unlockSchedule, input, { signal })),
  ]);
  const latest = twapNow(schedule.answer?.data.rows ?? [], now);
  const rungs = ladderOf(ladder.data.rows, latest?.twap);
  const symbol = project.symbol ?? project.name;
  const cliff = rungs.find((one) => one.cliff !== undefined)?.cliff;
  const waits = waitingText(rungs, isPast(cliff, now));
  return {
    finding: headline(symbol, rungs, latest?.twap),
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: '#', align: 'right' },
          { title: 'Tokens', align: 'right' },
          { title: 'x ICO', align: 'right' },
          { title: 'Target', align: 'right' },
          { title: 'vs TWAP', align: 'right' },
          { title: 'State' },
        ],
        rows: rungs.map((one) => [
          String(one.order + 1),
          amount(one.tokens),
          times(one.multiplier),
          price(one.threshold),
          distanceText(one),
          stateText(one.state),
        ]),
      },
      ...(rungs.length === 0 ? [] : [line(...cliffLine(cliff, now))]),
      ...(waits === undefined ? [] : [line(waits)]),
      ...(latest === undefined
        ? [line(`⚠ TWAP: ${schedule.answer === undefined ? missingText(schedule) : 'n/a'}`)]
        : [line('TWAP as of ', { at: latest.at })]),
      ...brokenRows(ladder.data.broken + (schedule.answer?.data.broken ?? 0)),
    ],
    ...ages(ladder, schedule.answer),
  };
};

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
