/** This file sums market caps and treasuries over all projects. */
import { HOUR, instant, type Instant } from '../../base/clock.js';
import { sumOf, valueOf } from './amounts.js';
import type { Character } from './invented-projects.js';
import { factsOf } from './injected-facts.js';
import { priceOf } from './prices.js';
import { byNature } from './natural-cache.js';
import { bornAt, priceFactor, type WorldScene } from './world-inputs.js';
import { boundedCache } from '../../base/bounded-cache.js';
import { notCirculating, type Supplies } from './supply.js';
import type { Treasuries } from './treasury.js';

export interface Sum {
  readonly at: Instant;
  /** The sum is in USD. */
  readonly value: string;
}

export interface CombinedDeps {
  readonly projects: readonly Character[];
  readonly supply: Supplies;
  readonly treasury: Treasuries;
}

const naturalCaps = byNature<string>(1_500);
const naturalValues = byNature<string>(1_500);
/** All worlds share these prices. */
const pastPrices = boundedCache<string>(12_000);

export function combinedBook(world: WorldScene, { projects, supply, treasury }: CombinedDeps) {
  const caps = naturalCaps(world);
  const values = naturalValues(world);
  const price = (who: Character, when: Instant): string =>
    pastPrices(`${world.name}/${who.slug}/${when}/${priceFactor(world, who, when)}`, () => priceOf(world, who, when));

  const hours = (from: Instant, now: Instant): readonly Instant[] => {
    const first = Math.ceil(from / HOUR) * HOUR;
    return [...Array.from({ length: Math.max(0, Math.ceil((now - first) / HOUR)) }, (_, index) => instant(first + index * HOUR)), now];
  };

  function marketCaps(now: Instant, from: Instant): readonly Sum[] {
    const moments = hours(from, now);
    const supplied = projects.map((who) => supply.course({ who, moments, asOf: now }));
    const isNatural = factsOf(world.facts(), 'price').length === 0 && factsOf(world.facts(), 'supply').length === 0;
    return moments.map((at, index) => {
      const supplies = supplied.map((course) => course[index] ?? 0n);
      const value = () => marketCap(at, supplies);
      // Late rows change the supply of past hours.
      return { at, value: isNatural ? caps(`${at}/${supplies.join('/')}`, value) : value() };
    });
  }

  const marketCap = (at: Instant, supplies: readonly bigint[]): string =>
    sumOf(
      projects.flatMap((who, place) =>
        bornAt(world, who) > at ? [] : valueOf((supplies[place] ?? 0n) - notCirculating(who), price(who, at)),
      ),
    );

  function treasuryValues(now: Instant, from: Instant): readonly Sum[] {
    const isNatural = factsOf(world.facts(), 'nav').length === 0;
    const value = (at: Instant): string => sumOf(projects.flatMap((who) => treasury.value(who, at) ?? []));
    return hours(from, now).map((at) => ({ at, value: isNatural ? values(at, () => value(at)) : value(at) }));
  }

  return { marketCaps, treasuryValues };
}
