/** Team's package in short. */
import { performancePackage, trancheLadder, unlockSchedule } from '../../src/analytics/endpoints/holders.js';
import { add, sum } from '../../src/domain/decimal.js';
import { amount, exact } from '../../src/domain/format.js';
import type { Decimal } from '../../src/domain/scalars.js';
import { differ, brokenRows, line, shareOf, ages, missingText, optional, type ProjectView } from '../../src/reply/index.js';
import { isPast, ladderOf, twapNow } from '../../src/analytics/tranche-ladder.js';
import { cliffLine, headline, waitingText } from './words.js';

export const packageView: ProjectView = async ({ analytics, project, now, signal }) => {
  const input = { slug: project.slug };
  const [whole, ladder, schedule] = await Promise.all([
    analytics.call(performancePackage, input, { signal }),
    optional(analytics.call(trancheLadder, input, { signal })),
    optional(analytics.call(unlockSchedule, input, { signal })),
  ]);
  const { data } = whole;
  const symbol = data.symbol ?? project.symbol ?? project.name;
  const points = schedule.answer?.data.rows ?? [];
  const twap = twapNow(points, now)?.twap;
  const rungs = ladderOf(ladder.answer?.data.rows ?? [], twap);
  const waits = waitingText(rungs, isPast(data.cliff, now));
  const unlockedBySchedule = points
    .filter(({ at }) => at <= now)
    .toSorted((a, b) => a.at - b.at)
    .at(-1)?.unlocked;
  return {
    finding:
      data.total === undefined && rungs.length === 0
        ? [{ strong: `${symbol}: no performance package published` }]
        : rungs.length === 0
          ? [{ strong: `The team's package holds ${amount(data.total)} ${symbol}` }]
          : headline(symbol, rungs, twap),
    blocks: [
      {
        kind: 'figures',
        items: [
          { label: 'Package', value: `${amount(data.total)} ${symbol}` },
          { label: 'locked', value: `${amount(data.locked)}${shareOf(data.locked, data.total)}` },
          { label: 'claimable now', value: `${amount(data.claimable)}${shareOf(data.claimable, data.total)}` },
          { label: 'claimed', value: amount(data.claimed) },
        ],
      },
      line(...cliffLine(data.cliff, now)),
      ...(waits === undefined ? [] : [line(waits)]),
      ...mismatches({ ...data, unlockedBySchedule }),
      ...(ladder.answer === undefined ? [line(`⚠ Tranches: ${missingText(ladder)}`)] : []),
      ...(schedule.answer === undefined ? [line(`⚠ TWAP: ${missingText(schedule)}`)] : []),
      ...brokenRows((ladder.answer?.data.broken ?? 0) + (schedule.answer?.data.broken ?? 0)),
    ],
    ...ages(whole, ladder.answer, schedule.answer),
  };
};

interface Parts {
  readonly total?: Decimal | undefined;
  readonly locked?: Decimal | undefined;
  readonly claimable?: Decimal | undefined;
  readonly claimed?: Decimal | undefined;
  readonly unlockedBySchedule?: Decimal | undefined;
}

function mismatches({ total, locked, claimable, claimed, unlockedBySchedule }: Parts) {
  if (total === undefined || claimable === undefined || claimed === undefined) return [];
  const unlocked = add(claimable, claimed);
  const all = locked === undefined ? undefined : sum([locked, unlocked]);
  return [
    ...(all !== undefined && differ(all, total, total)
      ? [line(`⚠ Package reported as ${exact(total)}, but its parts add up to ${exact(all)}.`)]
      : []),
    ...(unlockedBySchedule !== undefined && differ(unlocked, unlockedBySchedule, total)
      ? [line(`⚠ Unlocked so far: ${exact(unlockedBySchedule)} by the schedule, ${exact(unlocked)} by the package.`)]
      : []),
  ];
}
