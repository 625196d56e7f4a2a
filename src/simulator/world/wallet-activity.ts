/** What a wallet did in decision markets and launches: by nature a function of the seed, and what was injected. It needs no refresh to be seen. */
import { later, type Instant } from '../../base/clock.js';
import { exactly, human, rawOf, rounded } from './amounts.js';
import { whole } from './dice.js';
import { factsOf } from './facts.js';
import { closing, type Launch } from './launches.js';
import type { Proposal } from './proposals.js';
import { findCharacter } from './scene.js';
import { priceOf } from './market.js';
import type { WalletParts } from './wallet-parts.js';

export interface Trade {
  readonly proposal: Proposal;
  readonly at: Instant;
  readonly market: 'pass' | 'fail';
  readonly direction: 'buy' | 'sell';
  /** Decimal text. */
  readonly usd: string;
  readonly price: string;
  readonly size: string;
  readonly signature: string;
}

export interface Joined {
  readonly launch: Launch;
  readonly at: Instant;
  /** Decimal text of the quote currency. */
  readonly contribution: string;
  /** Unknown until the raise has closed. */
  readonly refund: string | null;
  readonly allocation: string | null;
}

const TRADES_SHARE = 0.18;
const JOINS_SHARE = 0.12;
/** An ICO sells so many tokens. */
const ICO_TOKENS = 10_000_000;

export function walletActivity({ scene, projects, proposals, launches, facts }: Omit<WalletParts, 'refreshes' | 'supply'>) {
  const { roll } = scene;

  function trade(wallet: string, proposal: Proposal, rest: Pick<Trade, 'at' | 'market' | 'direction' | 'usd'>): Trade {
    const who = findCharacter(proposal.slug);
    const price = who === undefined ? '1' : priceOf(scene, who, rest.at);
    return {
      proposal,
      ...rest,
      price,
      size: rounded(exactly(rest.usd).div(price), 6),
      signature: scene.keys.signature('trade', wallet, proposal.publicKey, rest.at, rest.usd),
    };
  }

  function natural(wallet: string, proposal: Proposal, at: Instant): readonly Trade[] {
    const { publicKey, liveAt, endsAt } = proposal;
    if (proposal.outcome === 'removed' || liveAt > at || roll(wallet, publicKey, 'trades') >= TRADES_SHARE) return [];
    const end = proposals.market(proposal, endsAt);
    if (end.trades === 0) return [];
    const usual = exactly(end.volume).div(end.trades);
    const leans = roll(wallet, publicKey, 'leans') < 0.5 ? 'pass' : 'fail';
    return Array.from({ length: whole(roll(wallet, publicKey, 'count'), 1, 4) }, (_, index) => {
      const when = later(liveAt, Math.floor(roll(wallet, publicKey, 'when', index) * (endsAt - liveAt)));
      return trade(wallet, proposal, {
        at: when,
        market: leans,
        direction: roll(wallet, publicKey, 'direction', index) < 0.75 ? 'buy' : 'sell',
        usd: rounded(usual.times(0.2 + 0.6 * roll(wallet, publicKey, 'size', index)), 2),
      });
    }).filter((one) => one.at <= at);
  }

  /** The newest first. */
  function trades(wallet: string, at: Instant): readonly Trade[] {
    const all = projects.flatMap((who) => proposals.list(who, at));
    const injected = factsOf(facts(), 'trade')
      .filter((fact) => fact.wallet === wallet && fact.at <= at)
      .flatMap((fact) => {
        const proposal = all.find((one) => one.publicKey === fact.proposal);
        return proposal ? [trade(wallet, proposal, { at: fact.at, market: fact.market, direction: fact.direction, usd: fact.usd })] : [];
      });
    return [...all.flatMap((proposal) => natural(wallet, proposal, at)), ...injected].toSorted((a, b) => b.at - a.at);
  }

  function joined(launch: Launch, contribution: string, at: { readonly when: Instant; readonly now: Instant }): Joined {
    const closed = closing(launch) <= at.now;
    const taken = launch.outcome === 'complete' ? exactly(launch.accepted).div(exactly(launch.committed)) : exactly(0);
    const price = exactly(human(launch.accepted)).div(ICO_TOKENS);
    const kept = exactly(contribution).times(taken);
    return {
      launch,
      at: at.when,
      contribution,
      refund: closed ? rounded(exactly(contribution).minus(kept), 6) : null,
      allocation: closed ? rounded(price.eq(0) ? exactly(0) : kept.div(price), 6) : null,
    };
  }

  /** The launches a wallet put something into, the latest first. */
  function icos(wallet: string, at: Instant): readonly Joined[] {
    const all = launches.all(at);
    const natural = all.flatMap((launch) => {
      const when = later(launch.startedAt, Math.floor(roll(wallet, launch.launchAddr, 'when') * launch.seconds * 1_000));
      if (roll(wallet, launch.launchAddr, 'joins') >= JOINS_SHARE || when > at) return [];
      const usd = human(rawOf(whole(roll(wallet, launch.launchAddr, 'puts'), 1, 400) * 25));
      return [joined(launch, usd, { when, now: at })];
    });
    const injected = factsOf(facts(), 'contribution')
      .filter((fact) => fact.wallet === wallet && fact.at <= at)
      .flatMap((fact) => {
        const launch = all.find((one) => one.launchAddr === fact.launchAddr);
        return launch ? [joined(launch, human(BigInt(fact.amount)), { when: fact.at, now: at })] : [];
      });
    return [...natural, ...injected].toSorted((a, b) => b.at - a.at);
  }

  return { trades, icos };
}
