/** What the service and the platforms saw: checks in time, refreshes not too early, rate limits and the budget. */
import { SECOND } from '../../../src/base/clock.js';
import type { Played } from '../run/play.js';
import { entryFor, statesBetween, wishesOf } from './chat-state.js';
import type { Violation } from './verdict.js';
import { PUT_OFF } from './lists.js';
import { boundsOf, EVERY, LEDGER_PATHS, skewOf } from './windows.js';

/** Milliseconds. */
const MAX_STOP = 5_000;
const RATE_WINDOW = 2 * SECOND;

export function judgeRequests({ platforms, service, fleet, scenario, storeFailures, disturbances }: Played): readonly Violation[] {
  const { requestsPerMonth } = scenario;
  return [
    ...platforms.flatMap(({ name, tooFast }): Violation[] => {
      const times = tooFast.filter((at) => !isAfterJump(disturbances, at)).length;
      return times === 0 || scenario.processes > 1 ? [] : [{ kind: 'rate limit', says: `${name} was asked too fast ${times} times` }];
    }),
    ...fleet.stops.flatMap((stop): Violation[] => (stop <= MAX_STOP ? [] : [{ kind: 'stop slow', says: `a stop took ${stop} ms` }])),
    // A store that fails, or that another process has taken over, is an error.
    ...fleet.errors.flatMap((says): Violation[] =>
      storeFailures > 0 || /StoreError: store: (?:another|the simulated)|lease/u.test(says) ? [] : [{ kind: 'crashed', says }],
    ),
    ...service.jobs.tooEarly.map(({ wallet }): Violation => ({ kind: 'refresh too early', says: wallet })),
    // Nobody asks for one here; further ones are too early for the service itself.
    ...service.jobs.asked.slice(0, 1).flatMap(({ wallet, at }): Violation[] => {
      const age = at - service.jobs.firstSnapshot + skewOf(disturbances);
      return age >= MAX_AGE ? [] : [{ kind: 'refresh too early', says: `${wallet}: a snapshot of ${age} ms is replaced` }];
    }),
    ...(requestsPerMonth !== undefined && service.exchanges.length > requestsPerMonth
      ? [{ kind: 'over budget', says: `${service.exchanges.length} requests of ${requestsPerMonth}` } as const]
      : []),
  ];
}

/** A clock that was set leaves it open when the last requests were. */
const isAfterJump = (disturbances: Played['disturbances'], moment: number): boolean =>
  disturbances.some(({ what, from }) => what === 'clock' && moment >= from && moment <= from + RATE_WINDOW);

/** As the processes are told (`WALLET_MAX_AGE_MINUTES`). */
const MAX_AGE = 60 * 60 * SECOND;

/** From the watch of a wallet to its first check, however many others are late. */
const FIRST_CHECK = 60 * SECOND;
const HOLDINGS = '/v1/trading-activity/special-wallet/holdings';

export function judgeFirstChecks(played: Played): readonly Violation[] {
  const { scenario, service, requests } = played;
  if (scenario.profile !== 'crowd') return [];
  return requests.flatMap(({ chat, ask, doneAt }): readonly Violation[] => {
    if (ask.kind !== 'wallet' || doneAt + FIRST_CHECK > scenario.calm) return [];
    const first = service.exchanges.find(({ path }) => path === HOLDINGS);
    const waited = (first?.at ?? scenario.calm) - doneAt;
    return waited <= FIRST_CHECK ? [] : [{ kind: 'check late', says: `${chat}: the first check of its wallet after ${waited} ms` }];
  });
}

/** Between two checks of what is watched, where nothing disturbs. */
export function judgeChecks(played: Played): readonly Violation[] {
  const { scenario, service, disturbances, endedAt } = played;
  if (scenario.requestsPerMonth !== undefined || scenario.profile === 'crowd') return [];
  const bounds = boundsOf(scenario);
  const chats = scenario.chats.map((chat) => wishesOf(played, chat));
  const isWatched = (project: string, from: number, to: number): boolean =>
    chats.some((wishes) => statesBetween(wishes, from, to).every((state) => entryFor(state, project) !== undefined));
  return (['supply', 'movements'] as const).flatMap((feed) =>
    scenario.world.projects.flatMap((project): readonly Violation[] => {
      // A list tells of mints and burns, so their checks are put off.
      const bound = bounds.check(EVERY[feed] * (feed === 'supply' ? PUT_OFF : 1));
      const times = service.exchanges.filter(({ path, slug }) => path === LEDGER_PATHS[feed] && slug === project).map(({ at }) => at);
      return [...times, endedAt].flatMap((to, index): readonly Violation[] => {
        const from = times[index - 1];
        if (from === undefined || to - from <= bound) return [];
        const isDisturbed = disturbances.some((one) => one.from - bound < to && one.to + bound > from);
        const isOff = chats.some((wishes) => wishes.some(({ ask }) => ask.kind === 'mode' && ask.feed === feed));
        if (isDisturbed || isOff || !isWatched(project, from, to)) return [];
        return [{ kind: 'check late', says: `${feed} of ${project}: ${to - from} ms between two checks` }];
      });
    }),
  );
}
