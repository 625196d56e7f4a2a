/** A scenario in lines that a person reads: what happens, in seconds from its start. */
import { SECOND } from '../../../src/base/clock.js';
import { lineOf } from '../scenario/lines.js';
import type { Scenario, Timed } from '../scenario/scenario.js';

interface Happening {
  readonly at: number;
  readonly says: string;
}

export function accountOf({ world, steps, chats, faultRates, start, calm, processes, profile, pollSeconds }: Scenario): string {
  const happenings: readonly Happening[] = [
    ...world.rows.map(({ ledger, project, amount, usd, at, shownAt }) => ({
      at: shownAt,
      says: `the service shows ${ledger} ${amount} of ${project}, $${usd}, dated ${seconds(at - start)}`,
    })),
    ...world.rows.flatMap(({ amount, restated }) =>
      restated === undefined
        ? []
        : [
            {
              at: restated.at,
              says: restated.to === 'removed' ? `${amount} is listed no more` : `${amount} is dated ${seconds(restated.to - start)}`,
            },
          ],
    ),
    ...world.markets.flatMap(({ project, title, createdAt, liveAt, endsAt, result, moved }) => [
      ...(moved === undefined ? [] : [{ at: moved.at, says: `the end of ${title} moves from ${seconds(moved.from - start)}` }]),
      { at: createdAt, says: `${title} of ${project} is created` },
      { at: liveAt, says: `${title} is live` },
      { at: endsAt, says: `${title} has ${result}` },
    ]),
    ...world.markets.flatMap(({ title, trades = [] }) =>
      trades.map(({ usd, at, shownAt }) => ({ at: shownAt, says: `a trade of $${usd} on ${title}, dated ${seconds(at - start)}` })),
    ),
    ...world.values.map(({ project, at, price, runway }) => ({
      at,
      says: `the price of ${project} is ${price}, its runway ${runway} months`,
    })),
    ...world.holdings.map(({ wallet, at, balance }) => ({ at, says: `${wallet.slice(0, 4)}… holds ${balance}` })),
    ...world.launches.flatMap(({ project, title, createdAt, liveAt, minimumAt, endsAt, result, restated }) => [
      { at: createdAt, says: `the launch ${title} of ${project} is announced` },
      { at: liveAt, says: `${title} is live` },
      ...(minimumAt === undefined ? [] : [{ at: minimumAt, says: `${title} reaches its minimum` }]),
      { at: endsAt, says: `${title} is ${result}` },
      ...(restated === undefined ? [] : [{ at: restated.at, says: `its final amount is restated to ${restated.to}%` }]),
    ]),
    ...world.growth.flatMap(({ project, metric, day, at, value, restated }) => [
      { at, says: `${metric} of ${project} on ${day}: ${value}` },
      ...restated.map((one) => ({ at: one.at, says: `the same is restated to ${one.to}` })),
    ]),
    ...world.tranches.flatMap(({ project, order, cliffAt, at, state }) => [
      { at: cliffAt, says: `the cliff of ${project} passes` },
      { at, says: `tranche ${order + 1} of ${project} is ${state}` },
    ]),
    ...world.navs.map(({ project, at, dollars }) => ({ at, says: `the NAV of ${project} is $${dollars}` })),
    ...(world.troubles ?? []).map((one) => ({
      at: one.from,
      says: `the list of ${one.list}, ${one.project ?? 'all'}: ${one.how}${one.how === 'lags' ? ` by ${seconds(one.by)}` : ''}, until ${seconds(one.to - start)}`,
    })),
    ...steps.map((step) => ({ at: step.at, says: `${stepText(step)}${whenText(step)}` })),
    { at: calm, says: 'nothing goes wrong any more' },
  ];
  const rates = `faults: service ${faultRates.service}, platforms ${faultRates.platform}`;
  return [
    `${profile}, ${processes} ${processes === 1 ? 'process' : 'processes'}, checks every ${pollSeconds} s, ${rates}, chats ${chats.join(', ')}`,
    ...happenings.toSorted((a, b) => a.at - b.at).map(({ at, says }) => `${seconds(at - start).padStart(10)}  ${says}`),
  ].join('\n');
}

const seconds = (milliseconds: number): string => `${(milliseconds / SECOND).toFixed(1)} s`;

const whenText = ({ when }: Timed): string => (when === undefined ? '' : `, ${when.wait} ms after ${when.sign} ${when.nth}`);

function stepText(step: Timed): string {
  switch (step.kind) {
    case 'ask':
      return `${step.chat} asks ${lineOf(step.ask)}${step.ask.kind === 'import' ? ` ${step.ask.projects.join(', ')}` : ''}`;
    case 'kill':
    case 'stop':
      return `${step.kind} after ${step.after} more writes and requests, down for ${seconds(step.down)}`;
    case 'pause':
      return `the process stands still for ${seconds(step.for)}`;
    case 'service':
      return `the service is ${step.down ? 'down' : 'up'}`;
    case 'disk':
      return `writes ${step.failing ? 'fail' : 'succeed'}`;
    case 'platform':
      return `${step.name} is ${step.trouble ?? 'well'}`;
    case 'chat':
      return `${step.chat} becomes ${step.becomes}`;
    case 'clock':
      return `the clock is set by ${seconds(step.jump)}`;
    case 'spoil':
      return `the next ${step.of} is ${step.fault}`;
    case 'delete':
      return `${step.chat} deletes what was posted of proposals`;
  }
}
