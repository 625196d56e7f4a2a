/** Proposals: drafts gather stake, markets trade, the TWAP window opens, and the edge decides. A project has one live market. */
import { DAY, HOUR, MINUTE, instant, later, type Instant } from '../../base/clock.js';
import { hundredths, sumOf } from './amounts.js';
import { CAST, PROPOSAL_TITLES, type Character } from './invented-projects.js';
import { pick, wave, whole, byNature } from './seeded-random.js';
import { factsOf, type Facts, type Proposal } from './injected-facts.js';
import { injectedTrade, OrderBook, type Quotes, type Trade, type WorldOrder } from './market-trades.js';
import { bornAt, endedAt, fastMinutes, numberAt, slotOf, slotStart, wholeSeconds, type WorldScene } from './world-inputs.js';

export type ProposalPhase = 'draft' | 'live' | 'passed' | 'failed' | 'removed';

/** The state of a market. Percentages are text. */
export interface Market {
  readonly phase: ProposalPhase;
  readonly staked: number;
  readonly stakeNeeded: number;
  readonly twapOpen: boolean;
  /** Undefined before the TWAP window. */
  readonly edge: string | undefined;
  /** The edge minus the threshold. */
  readonly margin: string | undefined;
  readonly threshold: string;
  readonly trades: number;
  readonly traders: number;
  readonly volume: string;
}

const LISTED_OF_FAST = 60;
const STAKE_NEEDED = 500_000;
const NONE: readonly Trade[] = [];

const naturalOnes = new WeakSet<Proposal>();
const naturalLists = byNature<readonly Proposal[]>(64);
const endedMarkets = byNature<Market>(4_000);
const naturalProposals = byNature<Proposal | undefined>(4_000);

export class ProposalBook {
  readonly #world: WorldScene;
  readonly #facts: Facts;
  readonly #projects: readonly Character[];
  readonly #roll: WorldScene['roll'];
  readonly #slots;
  readonly #lists;
  readonly #ended;
  readonly #orders;
  readonly slotLength;

  /** Returns the edge, which converges to the final one. */
  readonly #edgeAt = (one: Proposal, at: Instant): string => {
    const away = whole(this.#roll(one.publicKey, 'margin'), 20, 600);
    const final = one.thresholdBps + (one.outcome === 'passed' ? away : -away);
    const left = Math.max(0, (one.endsAt - at) / (one.endsAt - one.twapAt));
    const noise =
      260 * left * wave({ roll: this.#roll, name: `edge/${one.publicKey}`, at, period: Math.max(MINUTE, (one.endsAt - one.liveAt) / 9) });
    return hundredths(Math.round(final * (1 - left * 0.6) + noise));
  };

  constructor(world: WorldScene, { facts, projects }: { readonly facts: Facts; readonly projects: readonly Character[] }) {
    this.#world = world;
    this.#facts = facts;
    this.#projects = projects;
    this.#roll = world.roll;
    this.#slots = naturalProposals(world);
    this.#lists = naturalLists(world);
    this.#ended = endedMarkets(world);
    this.#orders = new OrderBook({ scene: world, edge: this.#edgeAt, isNatural: (one) => naturalOnes.has(one) });
    this.slotLength = fastMinutes(world, 24);
  }

  order(trade: Trade): WorldOrder {
    return this.#orders.order(trade);
  }

  list(who: Character, at: Instant): readonly Proposal[] {
    const added = factsOf(this.#facts(), 'proposal').filter((fact) => fact.slug === who.slug);
    const all = this.#natural(who, at);
    return (added.length === 0 ? all : this.#inOrder([...all, ...added])).filter((one) => one.createdAt <= at);
  }

  all(at: Instant): readonly Proposal[] {
    return this.#projects.flatMap((who) => this.list(who, at)).toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  }

  byKey(publicKey: string, at: Instant): Proposal | undefined {
    for (const who of this.#projects) {
      const found = this.list(who, at).find((one) => one.publicKey === publicKey);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  phase({ liveAt, endsAt, outcome }: Proposal, at: Instant): ProposalPhase {
    if (at < liveAt) return 'draft';
    return outcome === 'removed' ? 'removed' : at < endsAt ? 'live' : outcome;
  }

  trades(one: Proposal, at: Instant): readonly Trade[] {
    const natural = this.#orders.trades(one, this.#countAt(one, at)).toReversed();
    const added = this.#injected(one, at);
    return added.length === 0 ? natural : [...added, ...natural].toSorted((a, b) => b.at - a.at);
  }

  traders(one: Proposal, at: Instant): readonly string[] {
    return [...new Set([...this.#orders.crowdAfter(one, this.#countAt(one, at)), ...this.#injected(one, at).map(({ wallet }) => wallet)])];
  }

  tradesOf(one: Proposal, wallet: string, at: Instant): readonly Trade[] {
    return [
      ...this.#injected(one, at).filter((trade) => trade.wallet === wallet),
      ...this.#orders.tradesOf(one, wallet, this.#countAt(one, at)).toReversed(),
    ].toSorted((a, b) => b.at - a.at);
  }

  quotes(one: Proposal, at: Instant): Quotes | undefined {
    return at < one.liveAt || one.outcome === 'removed' ? undefined : this.#orders.quotes(one, at);
  }

  /** Returns the state of a market. It is final a minute after the end. */
  market(one: Proposal, at: Instant): Market {
    const added = this.#injected(one, at);
    const settled = later(one.endsAt, MINUTE);
    return naturalOnes.has(one) && at >= settled && added.length === 0
      ? this.#ended(one.publicKey, () => this.#marketAt(one, settled, added))
      : this.#marketAt(one, at, added);
  }

  #threshold(name: string): number {
    const kind = this.#roll(name, 'kind');
    if (kind < 0.35) return -whole(this.#roll(name, 'threshold'), 30, 50) * 10;
    if (kind < 0.9) return whole(this.#roll(name, 'threshold'), 15, 30) * 10;
    return whole(this.#roll(name, 'threshold'), -10, 25) * 100;
  }

  #plan(who: Character, { slot, draftAt, draft, live }: { slot: number; draftAt: number; draft: number; live: number }): Proposal {
    const name = `proposal/${who.slug}/${slot}`;
    const createdAt = wholeSeconds(draftAt);
    const liveAt = wholeSeconds(createdAt + draft);
    const outcomeRoll = this.#roll(name, 'fate');
    const planned: Proposal = {
      id: numberAt(who.slug, createdAt),
      publicKey: this.#world.keys.address(name),
      slug: who.slug,
      title: pick(this.#roll(name, 'title'), PROPOSAL_TITLES),
      createdAt,
      liveAt,
      twapAt: wholeSeconds(liveAt + live / 3),
      endsAt: wholeSeconds(liveAt + live),
      thresholdBps: this.#threshold(name),
      outcome: outcomeRoll < 0.08 ? 'removed' : outcomeRoll < 0.6 ? 'passed' : 'failed',
    };
    naturalOnes.add(planned);
    return planned;
  }

  #fastSlot(who: Character, slot: number) {
    return this.#slots(`${who.slug}/${slot}`, () => {
      // The two fast projects alternate, so that one is always near its end.
      const turn = CAST.filter((one) => one.tempo === 'fast').indexOf(who);
      const draftAt = slotStart(slot, this.slotLength) + this.slotLength * (turn * 0.5 + 0.08 * this.#roll(who.slug, 'start', slot));
      return this.#plan(who, { slot, draftAt, draft: this.slotLength * 0.22, live: this.slotLength * 0.8 });
    });
  }

  #naturalSlot(who: Character, slot: number, every: number) {
    return this.#slots(`${who.slug}/${slot}`, () => {
      if (this.#roll(who.slug, 'proposes', slot) < 0.12) return undefined;
      const draftAt = bornAt(this.#world, who) + slot * every + this.#roll(who.slug, 'start', slot) * (every - 6 * DAY);
      return this.#plan(who, {
        slot,
        draftAt,
        draft: whole(this.#roll(who.slug, 'draft', slot), 12, 36) * HOUR,
        live: whole(this.#roll(who.slug, 'live', slot), 48, 96) * HOUR,
      });
    });
  }

  #natural(who: Character, at: Instant): readonly Proposal[] {
    if (who.tempo === 'fast') {
      const now = slotOf(at, this.slotLength);
      return this.#lists(`${who.slug}/${now}`, () =>
        this.#inOrder(Array.from({ length: LISTED_OF_FAST }, (_, back) => this.#fastSlot(who, now - LISTED_OF_FAST + 1 + back))),
      );
    }
    if (who.proposalEvery === undefined) return [];
    const every = who.proposalEvery * DAY;
    const end = endedAt(who) ?? Number.POSITIVE_INFINITY;
    const count = Math.max(0, Math.floor((Math.min(at, end) - bornAt(this.#world, who)) / every) + 1);
    return this.#lists(`${who.slug}/${count}`, () =>
      this.#inOrder(Array.from({ length: count }, (_, slot) => this.#naturalSlot(who, slot, every))).filter((one) => one.endsAt <= end),
    );
  }

  #inOrder(all: readonly (Proposal | undefined)[]): readonly Proposal[] {
    return all.filter((one) => one !== undefined).toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  }

  #minuteOf(at: Instant): Instant {
    return instant(Math.floor(at / MINUTE) * MINUTE);
  }

  #reached(at: Instant, from: Instant, to: Instant): number {
    return Math.min(1, Math.max(0, (this.#minuteOf(at) - from) / (to - from)));
  }

  #countAt(one: Proposal, at: Instant): number {
    return Math.floor(this.#orders.total(one) * (at >= one.endsAt ? 1 : this.#reached(at, one.liveAt, one.endsAt)));
  }

  #injected(one: Proposal, at: Instant): readonly Trade[] {
    const all = factsOf(this.#facts(), 'trade');
    return all.length === 0
      ? NONE
      : all.filter((fact) => fact.proposal === one.publicKey && fact.at <= at).map((fact) => injectedTrade(one, fact));
  }

  #marketAt(one: Proposal, at: Instant, added: readonly Trade[]): Market {
    const staked = this.#reached(at, one.createdAt, one.liveAt) * (one.outcome === 'removed' ? 0.4 : 1);
    const twapOpen = at >= one.twapAt && one.outcome !== 'removed';
    const edge = twapOpen ? this.#edgeAt(one, at >= one.endsAt ? one.endsAt : this.#minuteOf(at)) : undefined;
    const count = this.#countAt(one, at);
    const newcomers = new Set(added.map(({ wallet }) => wallet).filter((wallet) => this.#orders.handOf(one, wallet, count) === undefined));
    const margin = edge && sumOf([edge, hundredths(-one.thresholdBps)]);
    return {
      phase: this.phase(one, at),
      staked: at >= one.liveAt && one.outcome !== 'removed' ? STAKE_NEEDED : Math.floor(staked * STAKE_NEEDED),
      stakeNeeded: STAKE_NEEDED,
      twapOpen,
      edge,
      margin,
      threshold: hundredths(one.thresholdBps),
      trades: count + added.length,
      traders: this.#orders.tradersAfter(one, count) + newcomers.size,
      volume: sumOf([this.#orders.volumeAfter(one, count), ...added.map(({ usd }) => usd)]),
    };
  }
}
