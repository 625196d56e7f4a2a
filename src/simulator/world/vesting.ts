/** Vesting: five equal tranches unlock after a cliff, when a three-month TWAP reaches 2 to 32 times the ICO price. */
import { DAY, instant, later, type Instant } from '../../base/clock.js';
import { compareText, human, product, ratio, rawOf, toRaw } from './amounts.js';
import type { Character } from './invented-projects.js';
import { pick, byNature } from './seeded-random.js';
import type { LaunchBook } from './launches.js';
import { priceOf } from './prices.js';
import { bornAt, endedAt, isPricePushed, priceFactor, type WorldScene } from './world-inputs.js';
import { boundedCache } from '../../base/bounded-cache.js';

const MULTIPLIERS = [2, 4, 8, 16, 32] as const;
const WINDOW_DAYS = 91;
export const ICO_TOKENS = 10_000_000;

export interface WorldTranche {
  readonly order: number;
  readonly tokens: bigint;
  readonly multiplier: number;
  /** The value is in USD. */
  readonly threshold: string;
  readonly unlockedAt: Instant | undefined;
  readonly state: 'locked' | 'cliff-twap-pending' | 'unlocked';
}

export interface ScheduleDay {
  readonly day: Instant;
  readonly twap: string | undefined;
  readonly unlocked: bigint;
}

const midnight = (at: number): Instant => instant(Math.floor(at / DAY) * DAY);

type Twaps = readonly (readonly [Instant, string])[];

const naturalLives = byNature<Twaps>(400);

export class VestingBook {
  readonly #world: WorldScene;
  readonly #launches: Pick<LaunchBook, 'first'>;
  readonly #lives;
  readonly #pushedLives = boundedCache<Twaps>(100);

  constructor(world: WorldScene, launches: Pick<LaunchBook, 'first'>) {
    this.#world = world;
    this.#launches = launches;
    this.#lives = naturalLives(world);
  }

  cliffOf(who: Character): Instant {
    return midnight(later(bornAt(this.#world, who), pick(this.#world.roll('cliff', who.slug), [180, 300, 390, 548]) * DAY));
  }

  icoPriceOf(who: Character): string {
    return ratio(human(this.#launches.first(who).accepted), String(ICO_TOKENS), 6);
  }

  ladder(who: Character, at: Instant): readonly WorldTranche[] {
    const cliff = this.cliffOf(who);
    const price = this.icoPriceOf(who);
    return MULTIPLIERS.map((multiplier, order) => {
      const threshold = product(price, String(multiplier), 6);
      const unlockedAt = this.#twaps(who, at).find(([day, twap]) => day >= cliff && compareText(twap, threshold) >= 0)?.[0];
      return {
        order,
        tokens: rawOf(who.locked) / BigInt(MULTIPLIERS.length),
        multiplier,
        threshold,
        unlockedAt,
        state: at < cliff ? 'locked' : unlockedAt === undefined ? 'cliff-twap-pending' : 'unlocked',
      };
    });
  }

  sums(who: Character, at: Instant) {
    const tranches = this.ladder(who, at);
    const claimable = tranches.reduce((sum, one) => (one.state === 'unlocked' ? sum + one.tokens : sum), 0n);
    const total = tranches.reduce((sum, one) => sum + one.tokens, 0n);
    return { total, claimable, locked: total - claimable, claimed: 0n };
  }

  /** Lists every seventh day, today, and months ahead. */
  schedule(who: Character, at: Instant): readonly ScheduleDay[] {
    const tranches = this.ladder(who, at);
    const past = this.#twaps(who, at);
    const cliff = this.cliffOf(who);
    const last = past.at(-1);
    const unlockedBy = (day: Instant): bigint =>
      tranches.reduce((sum, one) => (one.unlockedAt !== undefined && one.unlockedAt <= day ? sum + one.tokens : sum), 0n);
    const projected = (day: Instant): bigint =>
      tranches.reduce(
        (sum, one) =>
          one.unlockedAt !== undefined || (day >= cliff && last !== undefined && compareText(last[1], one.threshold) >= 0)
            ? sum + one.tokens
            : sum,
        0n,
      );
    const marked = new Set(tranches.map((one) => one.unlockedAt));
    const shown = past.filter(([day], index) => index % 7 === 0 || index === past.length - 1 || marked.has(day));
    const ahead =
      last === undefined || endedAt(who) !== undefined
        ? []
        : Array.from({ length: 6 }, (_, index) => later(last[0], (index + 1) * 30 * DAY));
    const coming = cliff > (last?.[0] ?? 0) && ahead.length > 0 ? [...ahead, cliff] : ahead;
    return [
      ...shown.map(([day, twap]): ScheduleDay => ({ day, twap, unlocked: unlockedBy(day) })),
      ...coming.toSorted((a, b) => a - b).map((day): ScheduleDay => ({ day, twap: undefined, unlocked: projected(day) })),
    ];
  }

  #twaps(who: Character, at: Instant): Twaps {
    const today = midnight(at);
    return isPricePushed(this.#world, who)
      ? this.#pushedLives(`${who.slug}/${today}/${priceFactor(this.#world, who, today)}`, () => this.#averages(who, today))
      : this.#lives(`${who.slug}/${today}`, () => this.#averages(who, today));
  }

  #averages(who: Character, today: Instant): Twaps {
    const first = midnight(bornAt(this.#world, who) + DAY);
    const last = Math.min(today, endedAt(who) ?? today);
    const days = Array.from({ length: Math.max(0, Math.floor((last - first) / DAY) + 1) }, (_, index) => instant(first + index * DAY));
    const prices = days.map((day) => toRaw(priceOf(this.#world, who, day)));
    let sum = 0n;
    return days.map((day, index) => {
      sum += (prices[index] ?? 0n) - (prices[index - WINDOW_DAYS] ?? 0n);
      return [day, ratio(human(sum), String(Math.min(index + 1, WINDOW_DAYS)), 6)] as const;
    });
  }
}
