/** Builds a world: a function of seed, pace, time and injected facts. Only caches have state. */
import { boundedCache } from '../../base/bounded-cache.js';
import { type Instant, HOUR, instant } from '../../base/clock.js';
import { AccountBook } from './accounts.js';
import { sumOf, valueOf } from './amounts.js';
import { ContributorBook } from './contributors.js';
import { counterpartyBook } from './counterparties.js';
import { financeBook } from './finances.js';
import { GrowthBook } from './growth.js';
import { holderBook } from './holders.js';
import { type Facts, factsOf } from './injected-facts.js';
import { CAST, type Character } from './invented-projects.js';
import { LaunchBook } from './launches.js';
import { MovementBook } from './movements.js';
import { coinPrice, naturalPrice, priceOf, volumeOf } from './prices.js';
import { ProposalBook } from './proposals.js';
import { byNature } from './seeded-random.js';
import { Supplies, notCirculating } from './supply.js';
import { allowanceOf, Treasuries } from './treasury.js';
import { VestingBook } from './vesting.js';
import { WalletBook, type RefreshJob } from './wallets.js';
import { bornAt, endedAt, findCharacter, mintOf, scene, type WorldScene, priceFactor } from './world-inputs.js';

export interface World {
  readonly scene: WorldScene;
  readonly projects: readonly Character[];
  readonly find: (slug: string) => Character | undefined;
  readonly born: (who: Character) => Instant;
  readonly ended: (who: Character) => Instant | undefined;
  readonly mint: (slug: string) => string;
  readonly price: (who: Character, at: Instant) => string;
  readonly naturalPrice: (who: Character, at: Instant) => string;
  /** The value is in USD per month. */
  readonly allowance: (who: Character, at: Instant) => string;
  readonly coin: (at: Instant) => string;
  readonly volume: (who: Character, at: Instant) => string;
  readonly supply: Supplies;
  readonly treasury: Treasuries;
  readonly accounts: AccountBook;
  readonly counterparties: ReturnType<typeof counterpartyBook>;
  readonly movements: MovementBook;
  readonly launches: LaunchBook;
  readonly growth: GrowthBook;
  readonly wallets: WalletBook;
  readonly holders: ReturnType<typeof holderBook>;
  readonly vesting: VestingBook;
  readonly contributors: ContributorBook;
  readonly finances: ReturnType<typeof financeBook>;
  readonly combined: ReturnType<typeof combinedBook>;
  readonly proposals: ProposalBook;
}

export function createWorld({
  seed,
  pace,
  facts = () => [],
  refreshes = () => [],
}: {
  readonly seed: string;
  readonly pace: number;
  readonly facts?: Facts;
  readonly refreshes?: () => readonly RefreshJob[];
}): World {
  const stage = scene({ seed, pace, facts });
  const supply = new Supplies(stage, facts);
  const treasury = new Treasuries(stage, supply);
  const accounts = new AccountBook({
    scene: stage,
    nav: (who, at) => treasury.nav({ who, when: at, asOf: at }),
    price: (who, at) => priceOf(stage, who, at),
  });
  const counterparties = counterpartyBook(stage);
  const projects = CAST.filter((who) => who.quirk !== 'launch-only');
  const proposals = new ProposalBook(stage, { facts, projects });
  const launches = new LaunchBook(stage, facts);
  const wallets = new WalletBook({ scene: stage, projects, supply, proposals, launches, facts, refreshes });
  return {
    scene: stage,
    projects,
    find: (slug) => projects.find((who) => who.slug === slug),
    born: (who) => bornAt(stage, who),
    ended: endedAt,
    mint: (slug) => mintOf(stage, slug),
    price: (who, at) => priceOf(stage, who, at),
    naturalPrice: (who, at) => naturalPrice(stage, who, at),
    allowance: (who, at) => allowanceOf(stage, who, at),
    coin: (at) => coinPrice(stage, at),
    volume: (who, at) => volumeOf(stage, who, at),
    supply,
    treasury,
    accounts,
    counterparties,
    movements: new MovementBook({
      scene: stage,
      accounts: (who, at) => accounts.active(who, at),
      counterparties: counterparties.all,
      facts,
    }),
    launches,
    growth: new GrowthBook(stage, facts),
    wallets,
    holders: holderBook(stage, { supply, wallets, facts }),
    vesting: new VestingBook(stage, launches),
    contributors: new ContributorBook(stage, { launches, projects }),
    finances: financeBook(stage),
    combined: combinedBook(stage, { projects, supply, treasury }),
    proposals,
  };
}

export const anyCharacter = findCharacter;

export interface Sum {
  readonly at: Instant;
  /** The value is in USD. */
  readonly value: string;
}

export interface CombinedDeps {
  readonly projects: readonly Character[];
  readonly supply: Supplies;
  readonly treasury: Treasuries;
}

const naturalCaps = byNature<string>(1_500);
const naturalValues = byNature<string>(1_500);
/** Past prices, shared by all worlds. */
const pastPrices = boundedCache<string>(12_000);

function combinedBook(world: WorldScene, { projects, supply, treasury }: CombinedDeps) {
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
