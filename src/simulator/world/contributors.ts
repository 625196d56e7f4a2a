/** The contributors of all launches, who belong to one crowd. */
import { rawOf } from './amounts.js';
import type { Character } from './invented-projects.js';
import { whole, byNature } from './seeded-random.js';
import type { WorldLaunch, LaunchBook } from './launches.js';
import type { WorldScene } from './world-inputs.js';

export interface Contributor {
  readonly address: string;
  readonly here: bigint;
  readonly everywhere: bigint;
  readonly joined: readonly Character[];
}

export interface Raise {
  readonly launch: WorldLaunch;
  readonly contributors: number;
  readonly transactions: number;
  readonly total: bigint;
  readonly average: bigint;
  readonly median: bigint;
  readonly given: readonly bigint[];
}

const CROWD = 40_009;
const MIN_CONTRIBUTION = rawOf(1);

export const contributorCount = ({ roll }: WorldScene, one: Pick<WorldLaunch, 'launchAddr'>): number =>
  whole(roll('holders', one.launchAddr), 700, 10_518);

interface Walk {
  readonly start: number;
  readonly stride: number;
  readonly back: number;
}

const naturalRaises = byNature<Raise>(40);
const naturalOthers = byNature<readonly Character[]>(40);
const naturalWalks = byNature<Walk>(40);

export class ContributorBook {
  readonly #world: WorldScene;
  readonly #launches: {
    readonly launches: Pick<LaunchBook, 'first'>;
    readonly projects: readonly Character[];
  }['launches'];
  readonly #projects: {
    readonly launches: Pick<LaunchBook, 'first'>;
    readonly projects: readonly Character[];
  }['projects'];
  readonly #roll: WorldScene['roll'];
  readonly #keys: WorldScene['keys'];
  readonly #raises;
  readonly #walks;

  constructor(
    world: WorldScene,
    { launches, projects }: { readonly launches: Pick<LaunchBook, 'first'>; readonly projects: readonly Character[] },
  ) {
    this.#world = world;
    this.#launches = launches;
    this.#projects = projects;
    this.#roll = world.roll;
    this.#keys = world.keys;
    this.#raises = naturalRaises(world);
    this.#walks = naturalWalks(world);
  }

  raise(who: Character): Raise {
    return this.#raises(who.slug, () => {
      const launch = this.#launches.first(who);
      const contributors = contributorCount(this.#world, launch);
      const weights = Array.from({ length: contributors }, (_, index) =>
        BigInt(Math.round((1e9 * (0.8 + 0.4 * this.#roll(who.slug, 'gives', index))) / (index + 9) ** 1.25)),
      );
      const all = weights.reduce((sum, one) => sum + one, 0n);
      const dealt = launch.committed - MIN_CONTRIBUTION * BigInt(contributors);
      const amounts = weights.map((weight) => MIN_CONTRIBUTION + (dealt * weight) / all);
      const rest = launch.committed - amounts.reduce((sum, one) => sum + one, 0n);
      const given = amounts.map((amount, index) => (index === 0 ? amount + rest : amount)).toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0));
      const middle = Math.floor(contributors / 2);
      const [upper = 0n, lower = 0n] = [given[middle], given[contributors % 2 === 0 ? middle - 1 : middle]];
      return {
        launch,
        contributors,
        transactions: contributors + Math.round(contributors * (0.05 + 0.5 * this.#roll(who.slug, 'transactions'))),
        total: launch.committed,
        average: launch.committed / BigInt(contributors),
        median: (upper + lower) / 2n,
        given,
      };
    });
  }

  contributor(who: Character, place: number): Contributor {
    const number = this.#numberOf(who, place);
    const gave = this.#projects.flatMap((one) => {
      const amount = this.raise(one).given[this.#placeOf(one, number)];
      return amount === undefined ? [] : [{ one, amount }];
    });
    return {
      address: this.#keys.address('contributor', number),
      here: this.raise(who).given[place] ?? 0n,
      everywhere: gave.reduce((sum, { amount }) => sum + amount, 0n),
      joined: gave.map(({ one }) => one),
    };
  }

  others(who: Character): readonly Character[] {
    return naturalOthers(this.#world)(who.slug, () => this.#othersOf(who));
  }

  #walk({ slug }: Character) {
    return this.#walks(slug, () => {
      const stride = whole(this.#roll(slug, 'stride'), 1, CROWD - 1);
      return { start: whole(this.#roll(slug, 'start'), 0, CROWD - 1), stride, back: inverse(stride) };
    });
  }

  #numberOf(who: Character, place: number): number {
    return (this.#walk(who).start + place * this.#walk(who).stride) % CROWD;
  }

  /** Returns the place of a contributor. A number beyond the last one contributes nothing. */
  #placeOf(who: Character, number: number): number {
    return ((number - this.#walk(who).start + CROWD) * this.#walk(who).back) % CROWD;
  }

  #othersOf(who: Character): readonly Character[] {
    return this.#projects.filter(
      (one) =>
        one !== who &&
        Array.from({ length: 200 }, (_, place) => this.#placeOf(one, this.#numberOf(who, place))).some(
          (place) => place < this.raise(one).contributors,
        ),
    );
  }
}

function inverse(number: number): number {
  let [base, power, result] = [BigInt(number), BigInt(CROWD - 2), 1n];
  const circle = BigInt(CROWD);
  for (; power > 0n; power >>= 1n) {
    if (power & 1n) result = (result * base) % circle;
    base = (base * base) % circle;
  }
  return Number(result);
}

const RANGES = [0, 100, 500, 1_000, 5_000, 10_000, 50_000] as const;

export const inRanges = (given: readonly bigint[]): readonly (readonly [string, number])[] =>
  RANGES.map((low, index) => {
    const high = RANGES[index + 1];
    const within = given.filter((one) => one >= rawOf(low) && (high === undefined || one < rawOf(high))).length;
    return [high === undefined ? `${low}+` : `${low}-${high}`, within] as const;
  });
