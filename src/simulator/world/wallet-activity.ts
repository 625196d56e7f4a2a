/** A wallet's activity in markets and launches, visible without a refresh. */
import { later, type Instant } from '../../base/clock.js';
import { exactly, human, rawOf, rounded } from './amounts.js';
import { whole } from './seeded-random.js';
import { factsOf } from './injected-facts.js';
import { closing, type WorldLaunch } from './launches.js';
import type { WorldOrder } from './market-trades.js';
import type { WalletParts } from './wallet-parts.js';

export interface Joined {
  readonly launch: WorldLaunch;
  readonly at: Instant;
  /** Quote currency. */
  readonly contribution: string;
  /** Null until the raise closes. */
  readonly refund: string | null;
  readonly allocation: string | null;
}

const JOINS_SHARE = 0.12;
const ICO_TOKENS = 10_000_000;

export function walletActivity({ scene, projects, proposals, launches, facts }: Omit<WalletParts, 'refreshes' | 'supply'>) {
  const { roll } = scene;

  const trades = (wallet: string, at: Instant): readonly WorldOrder[] =>
    projects
      .flatMap((who) => proposals.list(who, at))
      .flatMap((proposal) => proposals.tradesOf(proposal, wallet, at))
      .toSorted((a, b) => b.at - a.at)
      .map(proposals.order);

  function joined(launch: WorldLaunch, contribution: string, at: { readonly when: Instant; readonly now: Instant }): Joined {
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
