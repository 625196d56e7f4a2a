/** A launch is initialized, live, closed or refunding, then complete. Ended projects go to the graveyard. */
import { DAY, HOUR, MINUTE, SECOND, instant, later, type Instant } from '../../base/clock.js';
import { rawOf, part } from './amounts.js';
import { CAST, type Character } from './invented-projects.js';
import { whole } from './seeded-random.js';
import { factsOf, type Facts, type LaunchFact } from './injected-facts.js';
import { byNature } from './natural-cache.js';
import { bornAt, endedAt, fastMinutes, mintOf, slotOf, slotStart, wholeSeconds, type WorldScene } from './world-inputs.js';

export interface WorldLaunch extends Omit<LaunchFact, 'kind' | 'slug' | 'minimum' | 'committed' | 'accepted'> {
  readonly slug: string;
  readonly minimum: bigint;
  readonly committed: bigint;
  readonly accepted: bigint;
}

export type LaunchState = 'Initialized' | 'Live' | 'Closed' | 'Refunding' | 'Complete';

export interface LaunchView {
  readonly state: LaunchState;
  readonly seconds: number;
  readonly committed: bigint;
  /** It is null until the raise closes. */
  readonly accepted: bigint | null;
  readonly closesAt: Instant;
}

const ROUNDS_OF_FAST = 24;
/** A natural launch stays in the recent list for so many milliseconds. */
const RECENT = 45 * DAY;
const QUOTE = rawOf(1);

const lastingSeconds = (one: WorldLaunch, at: Instant): number =>
  one.seconds + (one.extension && one.extension.at <= at ? one.extension.seconds : 0);
export const closing = (one: WorldLaunch): Instant => later(one.startedAt, (one.seconds + (one.extension?.seconds ?? 0)) * SECOND);

const naturalLaunches = byNature<WorldLaunch>(2_000);

export function launchBook(world: WorldScene, facts: Facts) {
  const { roll } = world;
  const planned = naturalLaunches(world);

  interface Plan {
    readonly name: string;
    readonly title: string;
    readonly initializedAt: number;
    readonly startedAt: number;
    readonly seconds: number;
    readonly extension?: number;
    readonly settlesAfter: number;
    readonly sure?: boolean;
  }

  function plan(who: Character, { name, title, sure, extension, ...times }: Plan): WorldLaunch {
    const minimum = QUOTE * BigInt(whole(roll(name, 'minimum'), 10, 40) * 25_000);
    const fails = sure !== true && roll(name, 'fails') < 0.15;
    const oversubscribed = roll(name, 'crowd') < 0.3 ? 8 + 30 * roll(name, 'rush') : 1.15 + 3 * roll(name, 'rush');
    const committed =
      part(minimum, fails ? 0.2 + 0.6 * roll(name, 'rush') : oversubscribed) + BigInt(whole(roll(name, 'dust'), 0, 999_999));
    const most = minimum * 4n;
    const startedAt = wholeSeconds(times.startedAt);
    const seconds = Math.round(times.seconds);
    const extended = extension !== undefined && roll(name, 'extended') < 0.4;
    return {
      launchAddr: world.keys.address('launch', name),
      baseMint: mintOf(world, who.slug),
      slug: who.slug,
      symbol: who.symbol,
      title,
      initializedAt: wholeSeconds(times.initializedAt),
      startedAt,
      seconds,
      ...(extended ? { extension: { at: wholeSeconds(startedAt + seconds * 800), seconds: Math.round(extension) } } : {}),
      minimum,
      committed,
      accepted: committed > most ? most : committed,
      outcome: fails ? 'refunding' : 'complete',
      settlesAfter: times.settlesAfter,
      ...(sure === true && who.ended ? { ended: { at: endedAt(who) ?? startedAt, reason: who.ended.reason } } : {}),
    };
  }

  const first = (who: Character): WorldLaunch =>
    planned(`${who.slug}/first`, () => {
      const closed = bornAt(world, who) - 6 * HOUR;
      return plan(who, {
        name: `${who.slug}/first`,
        title: who.name,
        initializedAt: closed - 6 * DAY,
        startedAt: closed - 4 * DAY,
        seconds: (4 * DAY) / SECOND,
        settlesAfter: 6 * HOUR,
        sure: true,
      });
    });

  const naturalRound = (who: Character, slot: number, { everyDays, openDays }: NonNullable<Character['rounds']>): WorldLaunch =>
    planned(`${who.slug}/${slot}`, () => {
      const from = slotStart(slot, everyDays * DAY) + roll(who.slug, 'round', slot) * DAY;
      return plan(who, {
        name: `${who.slug}/round/${slot}`,
        title: `${who.name}, round ${slot}`,
        initializedAt: from,
        startedAt: from + 20 * HOUR,
        seconds: (openDays * DAY) / SECOND,
        extension: (1.5 * DAY) / SECOND,
        settlesAfter: 6 * HOUR,
      });
    });

  const fastLength = fastMinutes(world, 30);
  const fastRound = (who: Character, slot: number): WorldLaunch =>
    planned(`${who.slug}/${slot}`, () => {
      const turn = CAST.filter((one) => one.tempo === 'fast').indexOf(who);
      const from = slotStart(slot, fastLength) + fastLength * (turn * 0.5 + 0.05 * roll(who.slug, 'round', slot));
      return plan(who, {
        name: `${who.slug}/round/${slot}`,
        title: `${who.name}, round ${slot}`,
        initializedAt: from,
        startedAt: from + fastLength * 0.1,
        seconds: (fastLength * 0.6) / SECOND,
        extension: (fastLength * 0.15) / SECOND,
        settlesAfter: Math.round(fastLength * 0.08),
      });
    });

  function natural(who: Character, at: Instant): readonly WorldLaunch[] {
    if (who.tempo === 'fast') {
      const now = slotOf(at, fastLength);
      return [first(who), ...Array.from({ length: ROUNDS_OF_FAST }, (_, back) => fastRound(who, now - back))];
    }
    const rounds = who.rounds;
    if (rounds === undefined) return [first(who)];
    const from = slotOf(bornAt(world, who), rounds.everyDays * DAY) + 1;
    const to = slotOf(at, rounds.everyDays * DAY);
    return [
      ...(who.quirk === 'launch-only' ? [] : [first(who)]),
      ...Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => naturalRound(who, from + index, rounds)),
    ];
  }

  const injected = (): readonly WorldLaunch[] =>
    factsOf(facts(), 'launch').map((fact) => ({
      ...fact,
      minimum: BigInt(fact.minimum),
      committed: BigInt(fact.committed),
      accepted: BigInt(fact.accepted),
    }));

  const all = (at: Instant): readonly WorldLaunch[] =>
    [...CAST.flatMap((who) => natural(who, at)), ...injected()]
      .filter((one) => one.initializedAt <= at)
      .toSorted((a, b) => b.startedAt - a.startedAt);

  function view(one: WorldLaunch, at: Instant): LaunchView {
    const closesAt = closing(one);
    return {
      state: stateOf(one, at),
      seconds: lastingSeconds(one, at),
      committed: gathered(one, at),
      accepted: at < closesAt ? null : one.outcome === 'complete' ? one.accepted : 0n,
      closesAt,
    };
  }

  const isRecent = (one: WorldLaunch, at: Instant): boolean =>
    at - closing(one) < (closing(one) - one.startedAt < DAY ? 6 * fastLength : RECENT);

  return { all, view, first, isRecent, slotLength: fastLength };
}

export function stateOf(one: WorldLaunch, at: Instant): LaunchState {
  const closesAt = closing(one);
  if (at < one.startedAt) return 'Initialized';
  if (at < closesAt) return 'Live';
  if (one.outcome === 'refunding') return 'Refunding';
  return at < closesAt + one.settlesAfter ? 'Closed' : 'Complete';
}

/** Commitments grow fastest at the beginning and at the end. */
function gathered(one: WorldLaunch, at: Instant): bigint {
  const closesAt = closing(one);
  if (at >= closesAt) return one.committed;
  const minute = Math.floor(at / MINUTE) * MINUTE;
  const progress = Math.min(1, Math.max(0, (minute - one.startedAt) / (closesAt - one.startedAt)));
  return part(one.committed, 0.55 * progress + 0.45 * progress ** 4);
}

export function minimumReachedAt(one: WorldLaunch): Instant | undefined {
  if (one.committed < one.minimum) return undefined;
  const closesAt = closing(one);
  let [low, high] = [Math.floor(one.startedAt / MINUTE), Math.floor(closesAt / MINUTE) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (gathered(one, instant(middle * MINUTE)) >= one.minimum) high = middle;
    else low = middle + 1;
  }
  return instant(Math.min(low * MINUTE, closesAt));
}
