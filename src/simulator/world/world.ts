/** A world is a function of seed, pace, time and injected facts. Only caches have state. */
import type { Instant } from '../../base/clock.js';
import { accountBook } from './accounts.js';
import { allowanceOf, treasuries } from './treasury.js';
import { CAST, type Character } from './invented-projects.js';
import { combinedBook } from './all-project-totals.js';
import { contributorBook } from './contributors.js';
import { counterpartyBook } from './counterparties.js';
import type { Facts, Proposal } from './injected-facts.js';
import { financeBook } from './finances.js';
import { growthBook } from './growth.js';
import { holderBook } from './holders.js';
import { launchBook } from './launches.js';
import { coinPrice, naturalPrice, priceOf, volumeOf } from './prices.js';
import { movementBook } from './movements.js';
import { proposalBook } from './proposals.js';
import { bornAt, endedAt, findCharacter, mintOf, scene, type WorldScene } from './world-inputs.js';
import { supplies } from './supply.js';
import { vestingBook } from './vesting.js';
import { walletBook } from './wallets.js';
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
  readonly supply: ReturnType<typeof supplies>;
  readonly treasury: ReturnType<typeof treasuries>;
  readonly accounts: ReturnType<typeof accountBook>;
  readonly counterparties: ReturnType<typeof counterpartyBook>;
  readonly movements: ReturnType<typeof movementBook>;
  readonly launches: ReturnType<typeof launchBook>;
  readonly growth: ReturnType<typeof growthBook>;
  readonly wallets: ReturnType<typeof walletBook>;
  readonly holders: ReturnType<typeof holderBook>;
  readonly vesting: ReturnType<typeof vestingBook>;
  readonly contributors: ReturnType<typeof contributorBook>;
  readonly finances: ReturnType<typeof financeBook>;
  readonly combined: ReturnType<typeof combinedBook>;
  readonly proposals: ReturnType<typeof proposalBook> & {
    all(at: Instant): readonly Proposal[];
    byKey(publicKey: string, at: Instant): Proposal | undefined;
  };
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
  const supply = supplies(stage, facts);
  const treasury = treasuries(stage, supply);
  const accounts = accountBook({
    scene: stage,
    nav: (who, at) => treasury.nav({ who, when: at, asOf: at }),
    price: (who, at) => priceOf(stage, who, at),
  });
  const counterparties = counterpartyBook(stage);
  const book = proposalBook(stage, facts);
  const projects = CAST.filter((who) => who.quirk !== 'launch-only');
  const launches = launchBook(stage, facts);
  const wallets = walletBook({ scene: stage, projects, supply, proposals: book, launches, facts, refreshes });
  const all = (at: Instant) => projects.flatMap((who) => book.list(who, at)).toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  function byKey(publicKey: string, at: Instant): Proposal | undefined {
    for (const who of projects) {
      const found = book.list(who, at).find((one) => one.publicKey === publicKey);
      if (found !== undefined) return found;
    }
    return undefined;
  }
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
    movements: movementBook({ scene: stage, accounts: accounts.active, counterparties: counterparties.all, facts }),
    launches,
    growth: growthBook(stage, facts),
    wallets,
    holders: holderBook(stage, { supply, wallets, facts }),
    vesting: vestingBook(stage, launches),
    contributors: contributorBook(stage, { launches, projects }),
    finances: financeBook(stage),
    combined: combinedBook(stage, { projects, supply, treasury }),
    proposals: { ...book, all, byKey },
  };
}

export const anyCharacter = findCharacter;
