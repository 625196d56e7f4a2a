/** /vesting <project> [view]: the team's package and its price targets. */
import { z } from 'zod';
import { defineCommand } from '../../src/dispatch/command.js';
import {
  ages,
  brokenRows,
  counted,
  differ,
  figuresOf,
  line,
  missingText,
  optional,
  projectOption,
  right,
  shareOf,
  tableOf,
  viewReply,
  type ProjectView,
} from '../../src/reply/index.js';
import { unlocks } from './unlocks.js';
import { performancePackage, trancheLadder, unlockSchedule, type Cliff } from '../../src/analytics/endpoints/holders.js';
import { amount, exact, price, share, times } from '../../src/domain/format.js';
import { isPast, ladderOf, nextTranche, twapNow, waiting, type LadderTranche } from '../../src/analytics/tranche-ladder.js';
import { add, isNegative, sum } from '../../src/domain/decimal.js';
import type { Decimal, Instant } from '../../src/domain/scalars.js';
import type { Line } from '../../src/chat/reply.js';

function cliffLine(cliff: Cliff | undefined, now: Instant): Line {
  const past = isPast(cliff, now);
  if (past === undefined) return ['Cliff n/a'];
  if (cliff?.at !== undefined) return [past ? 'Cliff passed ' : 'Cliff ends ', { at: cliff.at }];
  return [
    past
      ? 'Cliff passed'
      : `Cliff${cliff?.daysRemaining === undefined ? ' not passed' : ` ends in ${counted(cliff.daysRemaining, 'day')}`}`,
  ];
}

function thresholdText({ threshold, distance }: LadderTranche, twap: Decimal | undefined): string {
  if (distance === undefined || twap === undefined) return `at ${price(threshold)}`;
  return `at ${price(threshold)} (TWAP ${price(twap)}, must rise ${share(distance)})`;
}

function headline(symbol: string, tranches: readonly LadderTranche[], twap: Decimal | undefined): Line {
  const next = nextTranche(tranches);
  const unlocked = tranches.filter((one) => one.unlocked).length;
  if (tranches.length === 0) return [{ strong: `${symbol}: no tranches published` }];
  if (unlocked === tranches.length) return [{ strong: `${symbol}: all ${tranches.length} tranches unlocked` }];
  if (next === undefined)
    return [{ strong: `${symbol}: every tranche has hit its price target` }, `, ${unlocked} of ${tranches.length} unlocked`];
  return [{ strong: `${symbol} team tranche ${next.order + 1} of ${tranches.length} unlocks ${thresholdText(next, twap)}` }];
}

function waitingText(tranches: readonly LadderTranche[], past: boolean | undefined): string | undefined {
  const ready = waiting(tranches).length;
  if (ready === 0) return undefined;
  const subject = `${counted(ready, 'tranche')} hit ${ready === 1 ? 'its' : 'their'} price target`;
  return past === false ? `${subject}, waiting for the cliff.` : `${subject}, not marked as unlocked yet.`;
}

const STATES: Readonly<Record<string, string>> = { 'cliff-twap-pending': 'waiting for price' };

const stateText = (state: string | undefined): string => (state === undefined ? 'n/a' : (STATES[state.toLowerCase()] ?? state));

const distanceText = ({ distance, unlocked }: LadderTranche): string =>
  unlocked ? '' : distance === undefined ? 'n/a' : isNegative(distance) || Number(distance) === 0 ? 'reached' : `+${share(distance)}`;

const packageView: ProjectView = async ({ analytics, project, now, signal }) => {
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
      figuresOf([
        ['Package', `${amount(data.total)} ${symbol}`],
        ['locked', `${amount(data.locked)}${shareOf(data.locked, data.total)}`],
        ['claimable now', `${amount(data.claimable)}${shareOf(data.claimable, data.total)}`],
        ['claimed', amount(data.claimed)],
      ]),
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
      tableOf(
        [right('#'), right('Tokens'), right('x ICO'), right('Target'), right('vs TWAP'), 'State'],
        rungs.map((one) => [
          String(one.order + 1),
          amount(one.tokens),
          times(one.multiplier),
          price(one.threshold),
          distanceText(one),
          stateText(one.state),
        ]),
      ),
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
  phrases: {
    '/vesting {project}': `vesting of {project} | {project} vesting | team tokens of {project} | {project} team tokens | how many tokens does the team of
      {project} get | how many coins does the team of {project} have reserved for themselves | vesting schedule {project} | how is the
      vesting of {project} made | vest {project} | founder tokens {project} | insider allocation of {project}`,
    '/vesting {project} package': `team package of {project} | what does the team of {project} get as a package | performance package of {project} | explain the
      deal the {project} founders have | package of the team {project} | incentive package {project}`,
    '/vesting {project} tranches': `tranches of {project} | {project} tranches | at what price do the team tokens of {project} unlock | price targets of the
      {project} team | which price does {project} need so the team gets paid | price targets {project} | at which price receives the
      team of {project} its tokens | tranche thresholds of {project} | unlock price levels {project}`,
    '/vesting {project} unlocks': `unlocks of {project} | {project} unlocks | next unlock of {project} | when do the team tokens of {project} unlock | when is the
      next {project} unlock | when does the cliff of {project} end | {project} cliff | when do the founders of {project} get their
      tokens | unlock dates {project} | wen unlock {project} | upcoming unlocks {project} | can the team of {project} dump soon | is
      an unlock coming at {project} | unlock schedule of {project} | are some team tokens of {project} free already | when come the
      next unlock of {project}`,
  },

  async run({ project: text, view }, { analytics, directory, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, page: 1, now, signal });
    return viewReply(shown, { command: 'vesting', names: NAMES, view, slug: project.slug, others: ['holders', 'ico', 'watch'] });
  },
});
