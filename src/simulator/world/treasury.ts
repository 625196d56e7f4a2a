/** NAV (§4.9): wallets and liquidity without the own token. NAV divided by the adjusted supply is NAV/AS. */
import { DAY, HOUR, instant, type Instant } from '../../base/clock.js';
import { boundedCache } from '../../base/bounded-cache.js';
import { pick } from './seeded-random.js';
import type { Character } from './invented-projects.js';
import { bornAt, endedAt, fastMinutes, holdingsFactor, priceFactor, pushedAllowance, slotOf, type WorldScene } from './world-inputs.js';
import { compareText, exactly, human, percentOf, product, ratio, rawOf, rounded, roundedNumber, sumOf } from './amounts.js';
import { coinPrice, priceOf, reserves } from './prices.js';
import { notCirculating, type Supplies } from './supply.js';

const HALF_A_DAY = 12 * 60;

/** Returns the monthly allowance in USD. */
export function allowanceOf(world: WorldScene, who: Character, at: Instant): string {
  const pushed = pushedAllowance(world, who, at);
  if (pushed !== undefined) return pushed;
  if (who.tempo !== 'fast') return String(who.allowance);
  const slot = slotOf(at, fastMinutes(world, HALF_A_DAY));
  return String(Math.round(who.allowance * pick(world.roll('allowance', who.slug, slot), [1, 1, 1, 0.8, 1.2])));
}

export interface TreasuryHolding {
  readonly name: string;
  readonly symbol: string;
  readonly address: string;
  readonly amount: string;
  readonly usdPrice: string;
  readonly value: string;
}

/** Amounts are in USD unless stated otherwise. */
export interface Nav {
  readonly at: Instant;
  readonly price: string;
  readonly totalSupply: string;
  readonly adjustedSupply: string;
  readonly wallet: readonly TreasuryHolding[];
  readonly treasuryValue: string;
  readonly lpValue: string;
  readonly netAssetValue: string;
  readonly navPerShare: string;
  /** The value is in percent; positive for a premium. */
  readonly premium: string;
  readonly monthsOfRunway: string;
  readonly monthsWithoutLp: string;
  /** Holdings that count neither in the NAV nor in the adjusted supply. */
  readonly excluded: readonly { readonly name: string; readonly amount: string; readonly value: string }[];
}

interface Worth {
  readonly dollars: string;
  readonly coins: string;
  readonly coinUsd: string;
  readonly coinsValue: string;
  readonly lpValue: string;
}

/** The service lists the native coin under the system program's address (§2.10). */
const COIN = '11111111111111111111111111111111';

const times = (amount: string, price: string): string => product(amount, price, 2);

const pushedBy = (factor: string, value: number, places: number): string =>
  factor === '1' ? roundedNumber(value, places) : rounded(exactly(value).times(factor), places);

const pastNavs = boundedCache<Nav>(8_000);
const pastWorths = boundedCache<Worth>(12_000);

export class Treasuries {
  readonly #world: WorldScene;
  readonly #supply: Supplies;

  constructor(world: WorldScene, supply: Supplies) {
    this.#world = world;
    this.#supply = supply;
  }

  value(who: Character, when: Instant): string | undefined {
    if (!this.#publishes(who, when)) return undefined;
    const { dollars, coinsValue, lpValue } = this.#worth(who, when);
    return sumOf([dollars, coinsValue, lpValue]);
  }

  /** Returns the NAV at `when` as known at `asOf`; undefined if none was published. */
  nav({ who, when, asOf }: { who: Character; when: Instant; asOf: Instant }): Nav | undefined {
    return this.#publishes(who, when) ? this.#navWith(who, when, this.#supply.supplyAt({ who, when, asOf })) : undefined;
  }

  history({ who, at, from, step }: { who: Character; at: Instant; from: Instant; step: number }): readonly Nav[] {
    const first = Math.ceil(Math.max(from, bornAt(this.#world, who)) / step) * step;
    const moments = Array.from({ length: Math.max(0, Math.ceil((at - first) / step)) }, (_, index) => instant(first + index * step));
    const published = [...moments, at].filter((when) => this.#publishes(who, when));
    const supplied = this.#supply.course({ who, moments: published, asOf: at });
    return published.map((when, index) => this.#navWith(who, when, supplied[index] ?? 0n));
  }

  premiums(who: Character, at: Instant) {
    const days = this.history({ who, at, from: instant(at - 365 * DAY), step: DAY });
    const now = days.at(-1);
    if (now === undefined) return undefined;
    let [low, high] = [now, now];
    // Of equal values the first day is the low, and the last day the high.
    for (const day of days) if (compareText(day.premium, high.premium) >= 0) high = day;
    for (const day of days.toReversed()) if (compareText(day.premium, low.premium) <= 0) low = day;
    return { now, low, high, mean: ratio(sumOf(days.map(({ premium }) => premium)), String(days.length), 4) };
  }

  snapshotAt(moment: Instant): Instant {
    return instant(Math.floor(moment / HOUR) * HOUR);
  }

  #worth(who: Character, when: Instant): Worth {
    const factor = holdingsFactor(this.#world, who, when);
    return pastWorths(`${this.#world.name}/${who.slug}/${when}/${factor}`, () => {
      const full = who.treasury * reserves(this.#world, who, when);
      const coins = pushedBy(factor, (full * 0.12) / 148, 4);
      const coinUsd = coinPrice(this.#world, when);
      return {
        dollars: pushedBy(factor, full * 0.71, 2),
        coins,
        coinUsd,
        coinsValue: times(coins, coinUsd),
        lpValue: pushedBy(factor, full * 0.17, 2),
      };
    });
  }

  #compute(who: Character, when: Instant, total: bigint): Nav {
    const price = priceOf(this.#world, who, when);
    const allowance = allowanceOf(this.#world, who, when);
    const has = this.#worth(who, when);
    const wallet: readonly TreasuryHolding[] = [
      {
        name: 'USD Coin',
        symbol: 'USDC',
        address: this.#world.keys.address('mint', 'usd-coin'),
        amount: has.dollars,
        usdPrice: '1',
        value: has.dollars,
      },
      { name: 'Native coin', symbol: 'SOL', address: COIN, amount: has.coins, usdPrice: has.coinUsd, value: has.coinsValue },
    ];
    const treasuryValue = sumOf([has.dollars, has.coinsValue]);
    const nav = sumOf([treasuryValue, has.lpValue]);
    const adjusted = human(total - notCirculating(who));
    const navPerShare = ratio(nav, adjusted, 6);
    const excluded = [
      { name: 'Performance package', tokens: who.locked },
      { name: 'Treasury', tokens: who.ownTokens },
    ].map(({ name, tokens }) => ({ name, amount: human(rawOf(tokens)), value: times(String(tokens), price) }));
    return {
      at: when,
      price,
      totalSupply: human(total),
      adjustedSupply: adjusted,
      wallet,
      treasuryValue,
      lpValue: has.lpValue,
      netAssetValue: nav,
      navPerShare,
      premium: percentOf(navPerShare, price, 4),
      monthsOfRunway: ratio(nav, allowance, 2),
      monthsWithoutLp: ratio(treasuryValue, allowance, 2),
      excluded,
    };
  }

  #publishes(who: Character, when: Instant): boolean {
    return (
      when >= bornAt(this.#world, who) &&
      when < (endedAt(who) ?? Number.POSITIVE_INFINITY) &&
      who.quirk !== 'no-nav' &&
      who.quirk !== 'launch-only'
    );
  }

  #navWith(who: Character, when: Instant, total: bigint): Nav {
    const pushed = [priceFactor(this.#world, who, when), holdingsFactor(this.#world, who, when), allowanceOf(this.#world, who, when)].join(
      '/',
    );
    return pastNavs(`${this.#world.name}/${who.slug}/${when}/${total}/${pushed}`, () => this.#compute(who, when, total));
  }
}
