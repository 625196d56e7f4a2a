/** By when something must have come: a bound after it is shown, and again after each disturbance that touches the time until then. */
import { SECOND } from '../../../src/base/clock.js';
import { platformOf, type Address } from '../../../src/chat/address.js';
import type { Played } from '../run/play.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Span } from './chat-state.js';

export interface Bounds {
  /** From the moment when the service shows it until a chat has it. */
  readonly delivery: (every: number) => number;
  /** Between two checks. */
  readonly check: (every: number) => number;
}

/** Gathering, the pause between two messages of a chat, rate limits, and what several attempts take. */
const SENDING = 60 * SECOND;

/** `every`: of a feed, in multiples of the shortest interval. docs/operations.md: a check runs within two intervals. */
export function boundsOf({ pollSeconds, tickSeconds }: Scenario): Bounds {
  const check = (every: number): number => 2 * every * pollSeconds * SECOND + (20 + 2 * tickSeconds) * SECOND;
  return { check, delivery: (every) => check(every) + SENDING + 4 * tickSeconds * SECOND };
}

/** Multiples of the shortest interval. */
export const EVERY = { supply: 1, movements: 2, proposals: 1, launches: 1, growth: 10, vesting: 10, premium: 2 } as const;

/** Of the lists that have ledger rows. */
export const LEDGER_PATHS = { supply: '/v1/dao/token-supply', movements: '/v1/movement' } as const;

/** By how much clocks were set, in ms. */
export const skewOf = (disturbances: Played['disturbances']): number =>
  disturbances.reduce((sum, { what, from, to }) => sum + (what === 'clock' ? to - from : 0), 0);

/** What troubles a chat, in order of time. */
export const troublesOf = ({ disturbances }: Played, chat: Address): readonly Span[] =>
  disturbances
    .filter((one) => (one.chat ?? chat) === chat && (one.platform ?? platformOf(chat)) === platformOf(chat))
    .toSorted((a, b) => a.from - b.from);

/** Infinite: a disturbance never ended. */
export function settledBy(from: number, bound: number, troubles: readonly Span[]): number {
  let until = from + bound;
  for (let again = true; again;) {
    again = false;
    for (const trouble of troubles) {
      // Attempts are further apart the longer it lasted.
      const over = trouble.to + bound + (trouble.to - trouble.from);
      if (trouble.from >= until || trouble.to <= from - bound || over <= until) continue;
      until = over;
      again = true;
    }
  }
  return until;
}

/** Around an answer, until what it showed is surely stored. */
export const HANDLED = 5 * SECOND;

/** What an answer showed at that moment is surely stored. */
export const isCalmAt = (at: number, troubles: readonly Span[]): boolean =>
  !troubles.some(({ from, to }) => from < at + HANDLED && to > at - HANDLED);

/** Between the requests of one check. */
const TOGETHER = 2 * SECOND;

/** When the first check after `from` that nothing disturbed was over, by the requests that the service answered: changes from then on are seen. */
export function knownFrom(
  { service, disturbances, scenario }: Played,
  paths: readonly string[],
  { from, slug }: { from: number; slug: string },
): number {
  // What comes later would change what is expected while it is waited for.
  const answered = service.exchanges.filter(
    (one) => one.isAnswered && one.at > from && one.at < scenario.calm && one.slug === slug && paths.includes(one.path),
  );
  const troubles = disturbances.filter(({ platform }) => platform === undefined);
  const isWhole = (at: number): boolean =>
    paths.every((path) => answered.some((one) => one.path === path && Math.abs(one.at - at) < TOGETHER)) && isCalmAt(at, troubles);
  const first = answered.find(({ at }) => isWhole(at));
  return first === undefined ? Number.POSITIVE_INFINITY : first.at + HANDLED;
}
