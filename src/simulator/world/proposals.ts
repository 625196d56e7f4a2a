/**
 * Proposals through their life: a draft gathers stake, then two markets trade; after a while the TWAP window opens; at the end the pass market's lead
 * (the edge) is held against the threshold, which may be negative. Drafts without enough stake are removed. One market at a time is live in a project.
 */
import { DAY, HOUR, MINUTE, instant, type Instant } from '../../base/clock.js';
import { exactly, rounded } from './amounts.js';
import { CAST, type Character } from './cast.js';
import { pick, wave, whole } from './dice.js';
import { factsOf, type Facts, type Proposal } from './facts.js';
import { injectedTrade, orderBook, type Quotes, type Trade } from './orders.js';
import { remember } from '../../base/remember.js';
import { bornAt, endedAt, fastMinutes, numberAt, slotOf, slotStart, wholeSeconds, type Scene } from './scene.js';
import { PROPOSAL_TITLES } from './words.js';

export type Phase = 'draft' | 'live' | 'passed' | 'failed' | 'removed';

/** What a market looks like at one moment. Percentages are percent; text where a decimal point may stand. */
export interface Market {
  readonly phase: Phase;
  readonly staked: number;
  readonly stakeNeeded: number;
  readonly twapOpen: boolean;
  /** The pass market's lead; undefined before the TWAP window. */
  readonly edge: string | undefined;
  /** Edge minus threshold. */
  readonly margin: string | undefined;
  readonly threshold: string;
  readonly trades: number;
  readonly traders: number;
  readonly volume: string;
}

/** The fast projects' list goes back so many proposals, about a day; what is older is no longer listed. */
const LISTED_OF_FAST = 60;
const STAKE_NEEDED = 500_000;

export function proposalBook(world: Scene, facts: Facts) {
  const { roll } = world;
  const planned = remember<Proposal | undefined>(4_000);
  const orders = orderBook({ scene: world, edge: edgeAt });

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
    const fate = roll(name, 'fate');
    return {
      id: numberAt(who.slug, createdAt),
      publicKey: world.keys.address(name),
      slug: who.slug,
      title: pick(roll(name, 'title'), PROPOSAL_TITLES),
      createdAt,
      liveAt,
      twapAt: wholeSeconds(liveAt + live / 3),
      endsAt: wholeSeconds(liveAt + live),
      thresholdBps: threshold(name),
      outcome: fate < 0.08 ? 'removed' : fate < 0.6 ? 'passed' : 'failed',
    };
  }

  const fastLength = fastMinutes(world, 24);
  const fastSlot = (who: Character, slot: number) =>
    planned(`${who.slug}/${slot}`, () => {
      // The two fast projects take turns, so that something is always near its end.
      const turn = CAST.filter((one) => one.tempo === 'fast').indexOf(who);
      const draftAt = slotStart(slot, fastLength) + fastLength * (turn * 0.5 + 0.08 * roll(who.slug, 'start', slot));
      return plan(who, { slot, draftAt, draft: fastLength * 0.22, live: fastLength * 0.8 });
    });

  const naturalSlot = (who: Character, slot: number, every: number) =>
    planned(`${who.slug}/${slot}`, () => {
      if (roll(who.slug, 'proposes', slot) < 0.12) return undefined;
      const draftAt = bornAt(world, who) + slot * every + roll(who.slug, 'start', slot) * (every - 6 * DAY);
      return plan(who, {
        slot,
        draftAt,
        draft: whole(roll(who.slug, 'draft', slot), 12, 36) * HOUR,
        live: whole(roll(who.slug, 'live', slot), 48, 96) * HOUR,
      });
    });

  function natural(who: Character, at: Instant): readonly (Proposal | undefined)[] {
    if (who.tempo === 'fast') {
      const now = slotOf(at, fastLength);
      return Array.from({ length: LISTED_OF_FAST }, (_, back) => fastSlot(who, now - LISTED_OF_FAST + 1 + back));
    }
    if (who.proposalEvery === undefined) return [];
    const every = who.proposalEvery * DAY;
    const end = endedAt(who) ?? at;
    const slots = Math.max(0, Math.floor((Math.min(at, end) - bornAt(world, who)) / every) + 1);
    return Array.from({ length: slots }, (_, slot) => naturalSlot(who, slot, every)).filter(
      (one) => one && one.endsAt <= (endedAt(who) ?? Infinity),
    );
  }

  /** All that are listed of a project, newest first. */
  function list(who: Character, at: Instant): readonly Proposal[] {
    const added = factsOf(facts(), 'proposal').filter((fact) => fact.slug === who.slug);
    return [...natural(who, at), ...added]
      .filter((one): one is Proposal => one !== undefined && one.createdAt <= at)
      .toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  }

  const phase = ({ liveAt, endsAt, outcome }: Proposal, at: Instant): Phase => {
    if (at < liveAt) return 'draft';
    return outcome === 'removed' ? 'removed' : at < endsAt ? 'live' : outcome;
  };

  const minuteOf = (at: Instant): Instant => instant(Math.floor(at / MINUTE) * MINUTE);
  /** How far the minute of `at` is between two moments, from 0 to 1. */
  const reached = (at: Instant, from: Instant, to: Instant): number => Math.min(1, Math.max(0, (minuteOf(at) - from) / (to - from)));

  /** How many of its natural trades a market has had. */
  const countAt = (one: Proposal, at: Instant): number =>
    Math.floor(orders.total(one) * (at >= one.endsAt ? 1 : reached(at, one.liveAt, one.endsAt)));

  const injected = (one: Proposal, at: Instant): readonly Trade[] =>
    factsOf(facts(), 'trade')
      .filter((fact) => fact.proposal === one.publicKey && fact.at <= at)
      .map((fact) => injectedTrade(one, fact));

  /** Every trade on it, newest first. */
  const trades = (one: Proposal, at: Instant): readonly Trade[] =>
    [...injected(one, at), ...orders.trades(one, countAt(one, at)).toReversed()].toSorted((a, b) => b.at - a.at);

  /** Everybody who traded on it, without the trades. */
  const traders = (one: Proposal, at: Instant): readonly string[] => [
    ...new Set([...orders.crowdAfter(one, countAt(one, at)), ...injected(one, at).map(({ wallet }) => wallet)]),
  ];

  /** Those of one wallet, newest first. */
  const tradesOf = (one: Proposal, wallet: string, at: Instant): readonly Trade[] =>
    [
      ...injected(one, at).filter((trade) => trade.wallet === wallet),
      ...orders.tradesOf(one, wallet, countAt(one, at)).toReversed(),
    ].toSorted((a, b) => b.at - a.at);

  /** What the markets quote; undefined before they trade. */
  const quotes = (one: Proposal, at: Instant): Quotes | undefined =>
    at < one.liveAt || one.outcome === 'removed' ? undefined : orders.quotes(one, at);

  function market(one: Proposal, at: Instant): Market {
    const staked = reached(at, one.createdAt, one.liveAt) * (one.outcome === 'removed' ? 0.4 : 1);
    const twapOpen = at >= one.twapAt && one.outcome !== 'removed';
    const edge = twapOpen ? edgeAt(one, at >= one.endsAt ? one.endsAt : minuteOf(at)) : undefined;
    const count = countAt(one, at);
    const added = injected(one, at);
    const newcomers = new Set(added.map(({ wallet }) => wallet).filter((wallet) => orders.handOf(one, wallet, count) === undefined));
    const margin = edge && rounded(exactly(edge).minus(exactly(one.thresholdBps).div(100)), 2);
    return {
      phase: phase(one, at),
      staked: at >= one.liveAt && one.outcome !== 'removed' ? STAKE_NEEDED : Math.floor(staked * STAKE_NEEDED),
      stakeNeeded: STAKE_NEEDED,
      twapOpen,
      edge,
      margin,
      threshold: exactly(one.thresholdBps).div(100).toFixed(),
      trades: count + added.length,
      traders: orders.tradersAfter(one, count) + newcomers.size,
      volume: added.reduce((sum, { usd }) => sum.plus(usd), exactly(orders.volumeAfter(one, count))).toFixed(),
    };
  }

  /** It closes in on the final edge, which lies on the side of the threshold that the outcome asks for. */
  function edgeAt(one: Proposal, at: Instant): string {
    const away = whole(roll(one.publicKey, 'margin'), 20, 600);
    const final = one.thresholdBps + (one.outcome === 'passed' ? away : -away);
    const left = Math.max(0, (one.endsAt - at) / (one.endsAt - one.twapAt));
    const noise = 260 * left * wave({ roll, name: `edge/${one.publicKey}`, at, period: Math.max(MINUTE, (one.endsAt - one.liveAt) / 9) });
    return exactly(Math.round(final * (1 - left * 0.6) + noise))
      .div(100)
      .toFixed();
  }

  return { list, phase, market, trades, traders, tradesOf, quotes, order: orders.order, slotLength: fastLength };
}
