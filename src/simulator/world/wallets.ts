/** A wallet's balances follow from seed and facts as of the last refresh. Its activity needs no refresh. */
import { omitUndefined } from '../../base/omit-undefined.js';
import { DAY, HOUR, type Instant, SECOND, instant, later } from '../../base/clock.js';
import type { WalletAddress } from '../../domain/wallet.js';
import type { Character } from './invented-projects.js';
import { type Facts, type RefreshRule, factsOf } from './injected-facts.js';
import { type WorldLaunch, closing, type launchBook } from './launches.js';
import type { proposalBook } from './proposals.js';
import { type WorldScene, bornAt, endedAt, mintOf } from './world-inputs.js';
import type { supplies } from './supply.js';
import { QUEUES, type RefreshJob, completedAt, endOf, isOver, jobIdOf } from './wallet-jobs.js';
import { exactly, human, part, rawOf, rounded } from './amounts.js';
import { whole } from './seeded-random.js';
import type { WorldOrder } from './market-trades.js';

export interface WalletParts {
  readonly scene: WorldScene;
  readonly projects: readonly Character[];
  readonly supply: ReturnType<typeof supplies>;
  readonly proposals: ReturnType<typeof proposalBook>;
  readonly launches: ReturnType<typeof launchBook>;
  readonly facts: Facts;
  readonly refreshes: () => readonly RefreshJob[];
}

/** The amount is raw, and negative if the wallet sent it. */
export interface Transfer {
  readonly at: Instant;
  readonly amount: bigint;
}

export interface WorldSnapshot {
  /** It is undefined if there was never a refresh. */
  readonly takenAt: Instant | undefined;
  readonly of: (who: Character) => Instant | undefined;
  readonly rankedAt: Instant | undefined;
  readonly historyComplete: boolean;
}

export type RefreshVerdict =
  | { readonly kind: 'taken' | 'running'; readonly job: RefreshJob }
  | { readonly kind: 'refused'; readonly seconds: number; readonly tells: RefreshRule['tells'] };

const FIRST_READ = Date.UTC(2026, 9, 20);
const READING_WEEKS = 20 * DAY;
const HELD_SHARE = 0.4;
const MAX_PART = 4n;

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export function walletBook(parts: WalletParts) {
  const { scene, projects, supply, facts, refreshes } = parts;
  const { roll } = scene;

  function transfers(wallet: string, who: Character, at: Instant): readonly Transfer[] {
    const injected = factsOf(facts(), 'transfer')
      .filter((fact) => fact.wallet === wallet && fact.slug === who.slug && fact.at <= at)
      .map((fact): Transfer => ({ at: fact.at, amount: BigInt(fact.amount) }));
    return [...natural(wallet, who, at), ...injected].toSorted((a, b) => a.at - b.at);
  }

  /** Natural transfers come in the token's first weeks, and occasionally later. */
  function natural(wallet: string, who: Character, at: Instant): readonly Transfer[] {
    if (roll(wallet, who.slug, 'holds') >= HELD_SHARE) return [];
    const slot = who.tempo === 'fast' ? 2 * DAY : 9 * DAY;
    const begins = later(bornAt(scene, who), roll(wallet, who.slug, 'begins') * 20 * DAY);
    const until = Math.min(at, endedAt(who) ?? at);
    if (begins > until) return [];
    const first =
      rawOf(Math.round(60 * 1_000 ** roll(wallet, who.slug, 'size'))) + BigInt(whole(roll(wallet, who.slug, 'dust'), 0, 999_999));
    const made: Transfer[] = [{ at: begins, amount: first }];
    let balance = first;
    for (let index = 1; begins + index * slot <= until; index += 1) {
      if (roll(wallet, who.slug, 'moves', index) >= 0.3) continue;
      const when = instant(Math.floor(begins + (index + roll(wallet, who.slug, 'when', index)) * slot));
      const share = roll(wallet, who.slug, 'share', index);
      const amount = share < 0.5 ? -part(balance, share * 0.8) : smaller(part(balance, share - 0.4), room(who, balance));
      if (when > until || amount === 0n) continue;
      made.push({ at: when, amount });
      balance += amount;
    }
    return made;
  }

  /** Without this limit a row of purchases would exceed the supply. */
  const room = (who: Character, balance: bigint): bigint => {
    const most = rawOf(who.genesis) / MAX_PART;
    return balance < most ? most - balance : 0n;
  };

  const balance = (wallet: string, who: Character, at: Instant): bigint => {
    const total = transfers(wallet, who, at).reduce((sum, one) => sum + one.amount, 0n);
    // An injected transfer may make a later natural sale exceed the balance.
    return total < 0n ? 0n : total;
  };

  const jobsOf = (wallet: string): readonly RefreshJob[] => refreshes().filter((job) => job.wallet === wallet);
  const jobRunning = (wallet: string, at: Instant): RefreshJob | undefined =>
    jobsOf(wallet).findLast((job) => job.requestedAt <= at && !isOver(job, at));

  function snapshot(wallet: string, at: Instant): WorldSnapshot {
    const read =
      roll(wallet, 'read') < 0.1
        ? undefined
        : instant(Math.floor((FIRST_READ + roll(wallet, 'first read') * READING_WEEKS) / SECOND) * SECOND);
    const first = read === undefined || read > at ? undefined : read;
    const done = jobsOf(wallet).flatMap((job) => {
      const end = completedAt(job, at);
      return end === undefined ? [] : [{ job, end }];
    });
    const latest = (fits: (job: RefreshJob) => boolean) => done.filter(({ job }) => fits(job)).toSorted((a, b) => b.end - a.end)[0];
    const full = latest(({ slug }) => slug === undefined);
    const last = latest(() => true);
    const of = (who: Character) => newest(full?.end ?? first, latest(({ slug }) => slug === who.slug)?.end);
    return {
      takenAt: newest(last?.end, first),
      of,
      rankedAt: full?.end ?? first,
      historyComplete: last !== undefined && last.job.incomplete === 0,
    };
  }

  function rank(who: Character, held: bigint): number {
    const holders = holderCount(who);
    const top = Number(rawOf(who.genesis)) * 0.03;
    const height = Math.min(1, Math.log(Math.max(1, Number(held))) / Math.log(top));
    return Math.max(1, Math.min(holders, Math.ceil(holders * (1 - height) * 3)));
  }
  const holderCount = (who: Character): number => whole(roll('holders', who.slug), 700, 10_518);

  function holdings(wallet: string, at: Instant) {
    const seen = snapshot(wallet, at);
    return projects.flatMap((who) => {
      const readAt = seen.of(who);
      const held = readAt === undefined ? 0n : balance(wallet, who, readAt);
      if (readAt === undefined || held === 0n) return [];
      const ranked = seen.rankedAt === undefined ? 0n : balance(wallet, who, seen.rankedAt);
      return [{ who, readAt, held, rank: rank(who, ranked), supply: supply.supplyAt({ who, when: readAt, asOf: readAt }) }];
    });
  }

  const ruleFor = (wallet: string): RefreshRule | undefined =>
    factsOf(facts(), 'refresh-rule').findLast((rule) => rule.wallet === undefined || rule.wallet === wallet);

  /** It is undefined if the refresh is accepted. */
  function limit(wallet: string, at: Instant): { readonly until: Instant; readonly tells: RefreshRule['tells'] } | undefined {
    const rule = ruleFor(wallet);
    const last = jobsOf(wallet).findLast((job) => isOver(job, at));
    const ended = last && endOf(last);
    // Unfinished accounts may be continued immediately.
    const cooled = last === undefined || ended === undefined || last.incomplete > 0 ? undefined : later(ended, last.cooldown);
    const until = newest(cooled, rule && later(rule.at, rule.limitedSeconds * SECOND));
    return until !== undefined && until > at ? { until, tells: rule?.tells ?? 'body' } : undefined;
  }

  function ask(wallet: WalletAddress, slug: string | undefined, at: Instant): RefreshVerdict {
    const running = jobRunning(wallet, at);
    if (running) return { kind: 'running', job: running };
    const limited = limit(wallet, at);
    if (limited) return { kind: 'refused', seconds: Math.ceil((limited.until - at) / SECOND), tells: limited.tells };
    const rule = ruleFor(wallet);
    const held = slug === undefined ? projects.filter((who) => balance(wallet, who, at) > 0n).length : 1;
    const mints = Math.max(1, held);
    const before = jobsOf(wallet).filter((job) => rule !== undefined && job.requestedAt >= rule.at).length;
    const left = rule === undefined ? 0 : Math.max(0, rule.incomplete - before);
    return {
      kind: 'taken',
      job: omitUndefined({
        jobId: jobIdOf(wallet, slug ?? 'all', at, jobsOf(wallet).length),
        wallet,
        slug,
        requestedAt: at,
        queues: QUEUES,
        runs: rule?.seconds === undefined ? (3 + 2 * mints) * SECOND : rule.seconds * SECOND,
        outcome: rule?.outcome ?? 'completes',
        word: rule?.word ?? 'failed',
        message: rule?.message ?? '',
        mints,
        transactions: whole(roll(wallet, 'transactions', at), 8, 40) * mints,
        incomplete: left,
        cooldown: (rule?.cooldownSeconds ?? 300) * SECOND,
      }),
    };
  }

  const others = (wallet: string) => ({
    coins: human(rawOf(whole(roll(wallet, 'coins'), 0, 40)) + BigInt(whole(roll(wallet, 'coin dust'), 1, 999_999))),
    priced: whole(roll(wallet, 'priced'), 0, 5),
    usd: String(whole(roll(wallet, 'others'), 0, 400_000) / 100),
    unpriced: whole(roll(wallet, 'unpriced'), 0, 4),
    createdAt: instant(Date.UTC(2025, 0, 2) + Math.floor(roll(wallet, 'created') * 200 * 24) * HOUR),
  });

  return {
    some: (number: number): string => scene.keys.address('wallet', number),
    mint: (who: Character): string => mintOf(scene, who.slug),
    transfers,
    balance,
    snapshot,
    holdings,
    holderCount,
    others,
    jobRunning,
    job: (jobId: string, at: Instant) => refreshes().find((job) => job.jobId === jobId && job.requestedAt <= at),
    limit,
    ask,
    ...walletActivity(parts),
  };
}

const newest = (...moments: readonly (Instant | undefined)[]): Instant | undefined =>
  moments.filter((one) => one !== undefined).toSorted((a, b) => b - a)[0];

export interface Joined {
  readonly launch: WorldLaunch;
  readonly at: Instant;
  /** The amount is in the quote currency. */
  readonly contribution: string;
  /** It is null until the raise closes. */
  readonly refund: string | null;
  readonly allocation: string | null;
}

const JOINS_SHARE = 0.12;
const ICO_TOKENS = 10_000_000;

function walletActivity({ scene, projects, proposals, launches, facts }: Omit<WalletParts, 'refreshes' | 'supply'>) {
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
