/** Launches: initialized, live, closed or refunding, then complete. Ended projects go to the graveyard. */
import { DAY, HOUR, MINUTE, SECOND, instant, later, type Instant } from '../../base/clock.js';
import { rawOf, part } from './amounts.js';
import { CAST, type Character } from './invented-projects.js';
import { whole, byNature } from './seeded-random.js';
import { factsOf, type Facts, type LaunchFact } from './injected-facts.js';
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
  /** Null until the raise closes. */
  readonly accepted: bigint | null;
  readonly closesAt: Instant;
}

const ROUNDS_OF_FAST = 24;
/** After this number of rounds, about once a day, a fast project starts counting again. */
const ROUNDS_IN_SERIES = 48;
/** How long a natural launch stays in the recent list, in milliseconds. */
const RECENT = 45 * DAY;
const QUOTE = rawOf(1);

const lastingSeconds = (one: WorldLaunch, at: Instant): number =>
  one.seconds + (one.extension && one.extension.at <= at ? one.extension.seconds : 0);
export const closing = (one: WorldLaunch): Instant => later(one.startedAt, (one.seconds + (one.extension?.seconds ?? 0)) * SECOND);

const naturalLaunches = byNature<WorldLaunch>(2_000);

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

export class LaunchBook {
  readonly #world: WorldScene;
  readonly #facts: Facts;
  readonly #roll: WorldScene['roll'];
  readonly #planned;
  readonly slotLength;

  constructor(world: WorldScene, facts: Facts) {
    this.#world = world;
    this.#facts = facts;
    this.#roll = world.roll;
    this.#planned = naturalLaunches(world);
    this.slotLength = fastMinutes(world, 30);
  }

  first(who: Character): WorldLaunch {
    return this.#planned(`${who.slug}/first`, () => {
      const closed = bornAt(this.#world, who) - 6 * HOUR;
      return this.#plan(who, {
        name: `${who.slug}/first`,
        title: who.name,
        initializedAt: closed - 6 * DAY,
        startedAt: closed - 4 * DAY,
        seconds: (4 * DAY) / SECOND,
        settlesAfter: 6 * HOUR,
        sure: true,
      });
    });
  }

  all(at: Instant): readonly WorldLaunch[] {
    return [...CAST.flatMap((who) => this.#natural(who, at)), ...this.#injected()]
      .filter((one) => one.initializedAt <= at)
      .toSorted((a, b) => b.startedAt - a.startedAt);
  }

  view(one: WorldLaunch, at: Instant): LaunchView {
    const closesAt = closing(one);
    return {
      state: stateOf(one, at),
      seconds: lastingSeconds(one, at),
      committed: gathered(one, at),
      accepted: at < closesAt ? null : one.outcome === 'complete' ? one.accepted : 0n,
      closesAt,
    };
  }

  isRecent(one: WorldLaunch, at: Instant): boolean {
    return at - closing(one) < (closing(one) - one.startedAt < DAY ? 6 * this.slotLength : RECENT);
  }

  #plan(who: Character, { name, title, sure, extension, ...times }: Plan): WorldLaunch {
    const minimum = QUOTE * BigInt(whole(this.#roll(name, 'minimum'), 10, 40) * 25_000);
    const fails = sure !== true && this.#roll(name, 'fails') < 0.15;
    const oversubscribed = this.#roll(name, 'crowd') < 0.3 ? 8 + 30 * this.#roll(name, 'rush') : 1.15 + 3 * this.#roll(name, 'rush');
    const committed =
      part(minimum, fails ? 0.2 + 0.6 * this.#roll(name, 'rush') : oversubscribed) + BigInt(whole(this.#roll(name, 'dust'), 0, 999_999));
    const most = minimum * 4n;
    const startedAt = wholeSeconds(times.startedAt);
    const seconds = Math.round(times.seconds);
    const extended = extension !== undefined && this.#roll(name, 'extended') < 0.4;
    return {
      launchAddr: this.#world.keys.address('launch', name),
      baseMint: mintOf(this.#world, who.slug),
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

  #naturalRound(who: Character, slot: number, { everyDays, openDays }: NonNullable<Character['rounds']>): WorldLaunch {
    return this.#planned(`${who.slug}/${slot}`, () => {
      const from = slotStart(slot, everyDays * DAY) + this.#roll(who.slug, 'round', slot) * DAY;
      return this.#plan(who, {
        name: `${who.slug}/round/${slot}`,
        title: `${who.name}, round ${slot}`,
        initializedAt: from,
        startedAt: from + 20 * HOUR,
        seconds: (openDays * DAY) / SECOND,
        extension: (1.5 * DAY) / SECOND,
        settlesAfter: 6 * HOUR,
      });
    });
  }

  #fastRound(who: Character, slot: number): WorldLaunch {
    return this.#planned(`${who.slug}/${slot}`, () => {
      const turn = CAST.filter((one) => one.tempo === 'fast').indexOf(who);
      const from = slotStart(slot, this.slotLength) + this.slotLength * (turn * 0.5 + 0.05 * this.#roll(who.slug, 'round', slot));
      return this.#plan(who, {
        name: `${who.slug}/round/${slot}`,
        title: `${who.name}, round ${(slot % ROUNDS_IN_SERIES) + 1}`,
        initializedAt: from,
        startedAt: from + this.slotLength * 0.1,
        seconds: (this.slotLength * 0.6) / SECOND,
        extension: (this.slotLength * 0.15) / SECOND,
        settlesAfter: Math.round(this.slotLength * 0.08),
      });
    });
  }

  #natural(who: Character, at: Instant): readonly WorldLaunch[] {
    if (who.tempo === 'fast') {
      const now = slotOf(at, this.slotLength);
      return [this.first(who), ...Array.from({ length: ROUNDS_OF_FAST }, (_, back) => this.#fastRound(who, now - back))];
    }
    const rounds = who.rounds;
    if (rounds === undefined) return [this.first(who)];
    const from = slotOf(bornAt(this.#world, who), rounds.everyDays * DAY) + 1;
    const to = slotOf(at, rounds.everyDays * DAY);
    return [
      ...(who.quirk === 'launch-only' ? [] : [this.first(who)]),
      ...Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => this.#naturalRound(who, from + index, rounds)),
    ];
  }

  #injected(): readonly WorldLaunch[] {
    return factsOf(this.#facts(), 'launch').map((fact) => ({
      ...fact,
      minimum: BigInt(fact.minimum),
      committed: BigInt(fact.committed),
      accepted: BigInt(fact.accepted),
    }));
  }
}

export function stateOf(one: WorldLaunch, at: Instant): LaunchState {
  const closesAt = closing(one);
  if (at < one.startedAt) return 'Initialized';
  if (at < closesAt) return 'Live';
  if (one.outcome === 'refunding') return 'Refunding';
  return at < closesAt + one.settlesAfter ? 'Closed' : 'Complete';
}

/** Returns the commitments, which grow fastest at the beginning and at the end. */
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
