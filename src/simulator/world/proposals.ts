/** Drafts gather stake, markets trade, the TWAP window opens, and the edge meets the threshold. A project has one live market. */
import { DAY, HOUR, MINUTE, instant, later, type Instant } from '../../base/clock.js';
import { hundredths, sumOf } from './amounts.js';
import { CAST, PROPOSAL_TITLES, type Character } from './invented-projects.js';
import { pick, wave, whole } from './seeded-random.js';
import { factsOf, type Facts, type Proposal } from './injected-facts.js';
import { injectedTrade, orderBook, type Quotes, type Trade } from './market-trades.js';
import { byNature } from './natural-cache.js';
import { bornAt, endedAt, fastMinutes, numberAt, slotOf, slotStart, wholeSeconds, type WorldScene } from './world-inputs.js';

export type ProposalPhase = 'draft' | 'live' | 'passed' | 'failed' | 'removed';

/** Percentages are text. */
export interface Market {
  readonly phase: ProposalPhase;
  readonly staked: number;
  readonly stakeNeeded: number;
  readonly twapOpen: boolean;
  /** It is undefined before the TWAP window. */
  readonly edge: string | undefined;
  /** It is the edge minus the threshold. */
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

export function proposalBook(world: WorldScene, facts: Facts) {
  const { roll } = world;
  const slots = naturalProposals(world);
  const lists = naturalLists(world);
  const ended = endedMarkets(world);
  const orders = orderBook({ scene: world, edge: edgeAt, isNatural: (one) => naturalOnes.has(one) });

  function threshold(name: string): number {
    const kind = roll(name, 'kind');
    if (kind < 0.35) return -whole(roll(name, 'threshold'), 30, 50) * 10;
    if (kind < 0.9) return whole(roll(name, 'threshold'), 15, 30) * 10;
    return whole(roll(name, 'threshold'), -10, 25) * 100;
  }

  function plan(who: Character, { slot, draftAt, draft, live }: { slot: number; draftAt: number; draft: number; live: number }): Proposal {
    const name = `proposal/${who.slug}/${slot}`;
    const createdAt = wholeSeconds(draftAt);
    const liveAt = wholeSeconds(createdAt + draft);
    const outcomeRoll = roll(name, 'fate');
    const planned: Proposal = {
      id: numberAt(who.slug, createdAt),
      publicKey: world.keys.address(name),
      slug: who.slug,
      title: pick(roll(name, 'title'), PROPOSAL_TITLES),
      createdAt,
      liveAt,
      twapAt: wholeSeconds(liveAt + live / 3),
      endsAt: wholeSeconds(liveAt + live),
      thresholdBps: threshold(name),
      outcome: outcomeRoll < 0.08 ? 'removed' : outcomeRoll < 0.6 ? 'passed' : 'failed',
    };
    naturalOnes.add(planned);
    return planned;
  }

  const fastLength = fastMinutes(world, 24);
  const fastSlot = (who: Character, slot: number) =>
    slots(`${who.slug}/${slot}`, () => {
      // The two fast projects alternate, so that one is always near its end.
      const turn = CAST.filter((one) => one.tempo === 'fast').indexOf(who);
      const draftAt = slotStart(slot, fastLength) + fastLength * (turn * 0.5 + 0.08 * roll(who.slug, 'start', slot));
      return plan(who, { slot, draftAt, draft: fastLength * 0.22, live: fastLength * 0.8 });
    });

  const naturalSlot = (who: Character, slot: number, every: number) =>
    slots(`${who.slug}/${slot}`, () => {
      if (roll(who.slug, 'proposes', slot) < 0.12) return undefined;
      const draftAt = bornAt(world, who) + slot * every + roll(who.slug, 'start', slot) * (every - 6 * DAY);
      return plan(who, {
        slot,
        draftAt,
        draft: whole(roll(who.slug, 'draft', slot), 12, 36) * HOUR,
        live: whole(roll(who.slug, 'live', slot), 48, 96) * HOUR,
      });
    });

  function natural(who: Character, at: Instant): readonly Proposal[] {
    if (who.tempo === 'fast') {
      const now = slotOf(at, fastLength);
      return lists(`${who.slug}/${now}`, () =>
        inOrder(Array.from({ length: LISTED_OF_FAST }, (_, back) => fastSlot(who, now - LISTED_OF_FAST + 1 + back))),
      );
    }
    if (who.proposalEvery === undefined) return [];
    const every = who.proposalEvery * DAY;
    const end = endedAt(who) ?? Number.POSITIVE_INFINITY;
    const count = Math.max(0, Math.floor((Math.min(at, end) - bornAt(world, who)) / every) + 1);
    return lists(`${who.slug}/${count}`, () =>
      inOrder(Array.from({ length: count }, (_, slot) => naturalSlot(who, slot, every))).filter((one) => one.endsAt <= end),
    );
  }

  const inOrder = (all: readonly (Proposal | undefined)[]): readonly Proposal[] =>
    all.filter((one) => one !== undefined).toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);

  function list(who: Character, at: Instant): readonly Proposal[] {
    const added = factsOf(facts(), 'proposal').filter((fact) => fact.slug === who.slug);
    const all = natural(who, at);
    return (added.length === 0 ? all : inOrder([...all, ...added])).filter((one) => one.createdAt <= at);
  }

  const phase = ({ liveAt, endsAt, outcome }: Proposal, at: Instant): ProposalPhase => {
    if (at < liveAt) return 'draft';
    return outcome === 'removed' ? 'removed' : at < endsAt ? 'live' : outcome;
  };

  const minuteOf = (at: Instant): Instant => instant(Math.floor(at / MINUTE) * MINUTE);
  const reached = (at: Instant, from: Instant, to: Instant): number => Math.min(1, Math.max(0, (minuteOf(at) - from) / (to - from)));

  const countAt = (one: Proposal, at: Instant): number =>
    Math.floor(orders.total(one) * (at >= one.endsAt ? 1 : reached(at, one.liveAt, one.endsAt)));

  function injected(one: Proposal, at: Instant): readonly Trade[] {
    const all = factsOf(facts(), 'trade');
    return all.length === 0
      ? NONE
      : all.filter((fact) => fact.proposal === one.publicKey && fact.at <= at).map((fact) => injectedTrade(one, fact));
  }

  function trades(one: Proposal, at: Instant): readonly Trade[] {
    const natural = orders.trades(one, countAt(one, at)).toReversed();
    const added = injected(one, at);
    return added.length === 0 ? natural : [...added, ...natural].toSorted((a, b) => b.at - a.at);
  }

  const traders = (one: Proposal, at: Instant): readonly string[] => [
    ...new Set([...orders.crowdAfter(one, countAt(one, at)), ...injected(one, at).map(({ wallet }) => wallet)]),
  ];

  const tradesOf = (one: Proposal, wallet: string, at: Instant): readonly Trade[] =>
    [
      ...injected(one, at).filter((trade) => trade.wallet === wallet),
      ...orders.tradesOf(one, wallet, countAt(one, at)).toReversed(),
    ].toSorted((a, b) => b.at - a.at);

  const quotes = (one: Proposal, at: Instant): Quotes | undefined =>
    at < one.liveAt || one.outcome === 'removed' ? undefined : orders.quotes(one, at);

  /** A market that ended a minute ago no longer changes. */
  function market(one: Proposal, at: Instant): Market {
    const added = injected(one, at);
    const settled = later(one.endsAt, MINUTE);
    return naturalOnes.has(one) && at >= settled && added.length === 0
      ? ended(one.publicKey, () => marketAt(one, settled, added))
      : marketAt(one, at, added);
  }

  function marketAt(one: Proposal, at: Instant, added: readonly Trade[]): Market {
    const staked = reached(at, one.createdAt, one.liveAt) * (one.outcome === 'removed' ? 0.4 : 1);
    const twapOpen = at >= one.twapAt && one.outcome !== 'removed';
    const edge = twapOpen ? edgeAt(one, at >= one.endsAt ? one.endsAt : minuteOf(at)) : undefined;
    const count = countAt(one, at);
    const newcomers = new Set(added.map(({ wallet }) => wallet).filter((wallet) => orders.handOf(one, wallet, count) === undefined));
    const margin = edge && sumOf([edge, hundredths(-one.thresholdBps)]);
    return {
      phase: phase(one, at),
      staked: at >= one.liveAt && one.outcome !== 'removed' ? STAKE_NEEDED : Math.floor(staked * STAKE_NEEDED),
      stakeNeeded: STAKE_NEEDED,
      twapOpen,
      edge,
      margin,
      threshold: hundredths(one.thresholdBps),
      trades: count + added.length,
      traders: orders.tradersAfter(one, count) + newcomers.size,
      volume: sumOf([orders.volumeAfter(one, count), ...added.map(({ usd }) => usd)]),
    };
  }

  /** The edge converges to the final one. */
  function edgeAt(one: Proposal, at: Instant): string {
    const away = whole(roll(one.publicKey, 'margin'), 20, 600);
    const final = one.thresholdBps + (one.outcome === 'passed' ? away : -away);
    const left = Math.max(0, (one.endsAt - at) / (one.endsAt - one.twapAt));
    const noise = 260 * left * wave({ roll, name: `edge/${one.publicKey}`, at, period: Math.max(MINUTE, (one.endsAt - one.liveAt) / 9) });
    return hundredths(Math.round(final * (1 - left * 0.6) + noise));
  }

  return { list, phase, market, trades, traders, tradesOf, quotes, order: orders.order, slotLength: fastLength };
}
