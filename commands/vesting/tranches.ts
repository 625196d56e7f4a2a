/** Every tranche with its price target. */
import { trancheLadder, unlockSchedule } from '../../src/analytics/endpoints/holders.js';
import { amount, price, times } from '../../src/domain/format.js';
import { ages, missingText, optional, brokenRows, line, type ProjectView } from '../../src/reply/index.js';
import { isPast, ladderOf, twapNow } from '../../src/analytics/tranche-ladder.js';
import { cliffLine, distanceText, headline, stateText, waitingText } from './words.js';

export const tranches: ProjectView = async ({ analytics, project, now, signal }) => {
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
