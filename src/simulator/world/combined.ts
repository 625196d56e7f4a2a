/** All projects together: what their tokens are worth at market, and what their treasuries hold. Each sum is that of the projects' own figures. */
import { HOUR, instant, type Instant } from '../../base/clock.js';
import { sumOf, valueOf } from './amounts.js';
import type { Character } from './cast.js';
import { priceOf } from './market.js';
import { priceFactor } from './pushed.js';
import { remember } from '../../base/remember.js';
import { bornAt, type Scene } from './scene.js';
import { notCirculating, type supplies } from './supply.js';
import type { treasuries } from './treasury.js';

export interface Sum {
  readonly at: Instant;
  /** USD, decimal text. */
  readonly value: string;
}

export interface CombinedNeeds {
  readonly projects: readonly Character[];
  readonly supply: ReturnType<typeof supplies>;
  readonly treasury: ReturnType<typeof treasuries>;
}

/** Shared by all worlds. */
const pastPrices = remember<string>(12_000);

export function combinedBook(world: Scene, { projects, supply, treasury }: CombinedNeeds) {
  const price = (who: Character, when: Instant): string =>
    pastPrices(`${world.name}/${who.slug}/${when}/${priceFactor(world, who, when)}`, () => priceOf(world, who, when));

  /** Every hour from `from` on, and now. */
  const hours = (from: Instant, now: Instant): readonly Instant[] => {
    const first = Math.ceil(from / HOUR) * HOUR;
    return [...Array.from({ length: Math.max(0, Math.ceil((now - first) / HOUR)) }, (_, index) => instant(first + index * HOUR)), now];
  };

  /** Price times what circulates, as each project's own page has it. */
  function marketCaps(now: Instant, from: Instant): readonly Sum[] {
    const moments = hours(from, now);
    const supplied = projects.map((who) => supply.course({ who, moments, asOf: now }));
    return moments.map((at, index) => ({
      at,
      value: sumOf(
        projects.flatMap((who, place) =>
          bornAt(world, who) > at ? [] : valueOf((supplied[place]?.[index] ?? 0n) - notCirculating(who), price(who, at)),
        ),
      ),
    }));
  }

  const treasuryValues = (now: Instant, from: Instant): readonly Sum[] =>
    hours(from, now).map((at) => ({ at, value: sumOf(projects.flatMap((who) => treasury.value(who, at) ?? [])) }));

  return { marketCaps, treasuryValues };
}
