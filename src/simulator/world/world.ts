/** A world is a function of seed, pace, time and injected facts. Only caches have state. */
import type { Instant } from '../../base/clock.js';
import { AccountBook } from './accounts.js';
import { allowanceOf, Treasuries } from './treasury.js';
import { CAST, type Character } from './invented-projects.js';
import { combinedBook } from './all-project-totals.js';
import { ContributorBook } from './contributors.js';
import { counterpartyBook } from './counterparties.js';
import type { Facts } from './injected-facts.js';
import { financeBook } from './finances.js';
import { GrowthBook } from './growth.js';
import { holderBook } from './holders.js';
import { LaunchBook } from './launches.js';
import { coinPrice, naturalPrice, priceOf, volumeOf } from './prices.js';
import { MovementBook } from './movements.js';
import { ProposalBook } from './proposals.js';
import { bornAt, endedAt, findCharacter, mintOf, scene, type WorldScene } from './world-inputs.js';
import { Supplies } from './supply.js';
import { VestingBook } from './vesting.js';
import { WalletBook } from './wallets.js';
import type { RefreshJob } from './wallet-jobs.js';

export interface World {
  readonly scene: WorldScene;
  readonly projects: readonly Character[];
  readonly find: (slug: string) => Character | undefined;
  readonly born: (who: Character) => Instant;
  readonly ended: (who: Character) => Instant | undefined;
  readonly mint: (slug: string) => string;
  readonly price: (who: Character, at: Instant) => string;
  readonly naturalPrice: (who: Character, at: Instant) => string;
  /** The allowance is in USD per month. */
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
