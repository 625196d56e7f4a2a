/** Wallets. Balances are computed from seed and facts as of the last refresh; activity needs no refresh. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY, HOUR, type Instant, SECOND, instant, later } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { instantSchema } from '../../domain/scalars.js';
import { type WalletAddress, walletAddressSchema } from '../../domain/wallet.js';
import { exactly, human, part, rawOf, rounded } from './amounts.js';
import { type Facts, type RefreshRule, factsOf } from './injected-facts.js';
import type { Character } from './invented-projects.js';
import { type WorldLaunch, closing, type LaunchBook } from './launches.js';
import type { WorldOrder } from './market-trades.js';
import type { ProposalBook } from './proposals.js';
import { whole } from './seeded-random.js';
import type { Supplies } from './supply.js';
import { type WorldScene, bornAt, endedAt, mintOf } from './world-inputs.js';

export interface WalletParts {
  readonly scene: WorldScene;
  readonly projects: readonly Character[];
  readonly supply: Supplies;
  readonly proposals: ProposalBook;
  readonly launches: LaunchBook;
  readonly facts: Facts;
  readonly refreshes: () => readonly RefreshJob[];
}

/** A transfer. The amount is raw, and negative if the wallet sent it. */
export interface Transfer {
  readonly at: Instant;
  readonly amount: bigint;
}

export interface WorldSnapshot {
  /** Undefined if there was never a refresh. */
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

export class WalletBook {
  readonly #activity: WalletActivity;
  readonly #scene: WalletParts['scene'];
  readonly #projects: WalletParts['projects'];
  readonly #supply: WalletParts['supply'];
  readonly #facts: WalletParts['facts'];
  readonly #refreshes: WalletParts['refreshes'];
  readonly #roll: WorldScene['roll'];

  constructor(parts: WalletParts) {
    this.#activity = new WalletActivity(parts);
    this.#scene = parts.scene;
    this.#projects = parts.projects;
    this.#supply = parts.supply;
    this.#facts = parts.facts;
    this.#refreshes = parts.refreshes;
    this.#roll = this.#scene.roll;
  }

  transfers(wallet: string, who: Character, at: Instant): readonly Transfer[] {
    const injected = factsOf(this.#facts(), 'transfer')
      .filter((fact) => fact.wallet === wallet && fact.slug === who.slug && fact.at <= at)
      .map((fact): Transfer => ({ at: fact.at, amount: BigInt(fact.amount) }));
    return [...this.#natural(wallet, who, at), ...injected].toSorted((a, b) => a.at - b.at);
  }

  trades(wallet: string, at: Instant): readonly WorldOrder[] {
    return this.#activity.trades(wallet, at);
  }

  icos(wallet: string, at: Instant): readonly Joined[] {
    return this.#activity.icos(wallet, at);
  }

  balance(wallet: string, who: Character, at: Instant): bigint {
    const total = this.transfers(wallet, who, at).reduce((sum, one) => sum + one.amount, 0n);
    // An injected transfer may make a later natural sale exceed the balance.
    return total < 0n ? 0n : total;
  }

  jobRunning(wallet: string, at: Instant): RefreshJob | undefined {
    return this.#jobsOf(wallet).findLast((job) => job.requestedAt <= at && !isOver(job, at));
  }

  snapshot(wallet: string, at: Instant): WorldSnapshot {
    const read =
      this.#roll(wallet, 'read') < 0.1
        ? undefined
        : instant(Math.floor((FIRST_READ + this.#roll(wallet, 'first read') * READING_WEEKS) / SECOND) * SECOND);
    const first = read === undefined || read > at ? undefined : read;
    const done = this.#jobsOf(wallet).flatMap((job) => {
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

  holderCount(who: Character): number {
    return whole(this.#roll('holders', who.slug), 700, 10_518);
  }

  holdings(wallet: string, at: Instant) {
    const seen = this.snapshot(wallet, at);
    return this.#projects.flatMap((who) => {
      const readAt = seen.of(who);
      const held = readAt === undefined ? 0n : this.balance(wallet, who, readAt);
      if (readAt === undefined || held === 0n) return [];
      const ranked = seen.rankedAt === undefined ? 0n : this.balance(wallet, who, seen.rankedAt);
      return [{ who, readAt, held, rank: this.#rank(who, ranked), supply: this.#supply.supplyAt({ who, when: readAt, asOf: readAt }) }];
    });
  }

  /** Returns why a refresh is refused; undefined if it is accepted. */
  limit(wallet: string, at: Instant): { readonly until: Instant; readonly tells: RefreshRule['tells'] } | undefined {
    const rule = this.#ruleFor(wallet);
    const last = this.#jobsOf(wallet).findLast((job) => isOver(job, at));
    const ended = last && endOf(last);
    // Unfinished accounts may be continued immediately.
    const cooled = last === undefined || ended === undefined || last.incomplete > 0 ? undefined : later(ended, last.cooldown);
    const until = newest(cooled, rule && later(rule.at, rule.limitedSeconds * SECOND));
    return until !== undefined && until > at ? { until, tells: rule?.tells ?? 'body' } : undefined;
  }

  ask(wallet: WalletAddress, slug: string | undefined, at: Instant): RefreshVerdict {
    const running = this.jobRunning(wallet, at);
    if (running) return { kind: 'running', job: running };
    const limited = this.limit(wallet, at);
    if (limited) return { kind: 'refused', seconds: Math.ceil((limited.until - at) / SECOND), tells: limited.tells };
    const rule = this.#ruleFor(wallet);
    const held = slug === undefined ? this.#projects.filter((who) => this.balance(wallet, who, at) > 0n).length : 1;
    const mints = Math.max(1, held);
    const before = this.#jobsOf(wallet).filter((job) => rule !== undefined && job.requestedAt >= rule.at).length;
    const left = rule === undefined ? 0 : Math.max(0, rule.incomplete - before);
    return {
      kind: 'taken',
      job: omitUndefined({
        jobId: jobIdOf(wallet, slug ?? 'all', at, this.#jobsOf(wallet).length),
        wallet,
        slug,
        requestedAt: at,
        queues: QUEUES,
        runs: rule?.seconds === undefined ? (3 + 2 * mints) * SECOND : rule.seconds * SECOND,
        outcome: rule?.outcome ?? 'completes',
        word: rule?.word ?? 'failed',
        message: rule?.message ?? '',
        mints,
        transactions: whole(this.#roll(wallet, 'transactions', at), 8, 40) * mints,
        incomplete: left,
        cooldown: (rule?.cooldownSeconds ?? 300) * SECOND,
      }),
    };
  }

  others(wallet: string) {
    return {
      coins: human(rawOf(whole(this.#roll(wallet, 'coins'), 0, 40)) + BigInt(whole(this.#roll(wallet, 'coin dust'), 1, 999_999))),
      priced: whole(this.#roll(wallet, 'priced'), 0, 5),
      usd: String(whole(this.#roll(wallet, 'others'), 0, 400_000) / 100),
      unpriced: whole(this.#roll(wallet, 'unpriced'), 0, 4),
      createdAt: instant(Date.UTC(2025, 0, 2) + Math.floor(this.#roll(wallet, 'created') * 200 * 24) * HOUR),
    };
  }

  some(number: number): string {
    return this.#scene.keys.address('wallet', number);
  }

  mint(who: Character): string {
    return mintOf(this.#scene, who.slug);
  }

  job(jobId: string, at: Instant) {
    return this.#refreshes().find((job) => job.jobId === jobId && job.requestedAt <= at);
  }

  /** Returns natural transfers: in the token's first weeks, and occasionally later. */
  #natural(wallet: string, who: Character, at: Instant): readonly Transfer[] {
    if (this.#roll(wallet, who.slug, 'holds') >= HELD_SHARE) return [];
    const slot = who.tempo === 'fast' ? 2 * DAY : 9 * DAY;
    const begins = later(bornAt(this.#scene, who), this.#roll(wallet, who.slug, 'begins') * 20 * DAY);
    const until = Math.min(at, endedAt(who) ?? at);
    if (begins > until) return [];
    const first =
      rawOf(Math.round(60 * 1_000 ** this.#roll(wallet, who.slug, 'size'))) +
      BigInt(whole(this.#roll(wallet, who.slug, 'dust'), 0, 999_999));
    const made: Transfer[] = [{ at: begins, amount: first }];
    let balance = first;
    for (let index = 1; begins + index * slot <= until; index += 1) {
      if (this.#roll(wallet, who.slug, 'moves', index) >= 0.3) continue;
      const when = instant(Math.floor(begins + (index + this.#roll(wallet, who.slug, 'when', index)) * slot));
      const share = this.#roll(wallet, who.slug, 'share', index);
      const amount = share < 0.5 ? -part(balance, share * 0.8) : smaller(part(balance, share - 0.4), this.#room(who, balance));
      if (when > until || amount === 0n) continue;
      made.push({ at: when, amount });
      balance += amount;
    }
    return made;
  }

  /** Returns the largest purchase. Without this limit a series of purchases would exceed the supply. */
  #room(who: Character, balance: bigint): bigint {
    const most = rawOf(who.genesis) / MAX_PART;
    return balance < most ? most - balance : 0n;
  }

  #jobsOf(wallet: string): readonly RefreshJob[] {
    return this.#refreshes().filter((job) => job.wallet === wallet);
  }

  #rank(who: Character, held: bigint): number {
    const holders = this.holderCount(who);
    const top = Number(rawOf(who.genesis)) * 0.03;
    const height = Math.min(1, Math.log(Math.max(1, Number(held))) / Math.log(top));
    return Math.max(1, Math.min(holders, Math.ceil(holders * (1 - height) * 3)));
  }

  #ruleFor(wallet: string): RefreshRule | undefined {
    return factsOf(this.#facts(), 'refresh-rule').findLast((rule) => rule.wallet === undefined || rule.wallet === wallet);
  }
}

const newest = (...moments: readonly (Instant | undefined)[]): Instant | undefined =>
  moments.filter((one) => one !== undefined).toSorted((a, b) => b - a)[0];

export interface Joined {
  readonly launch: WorldLaunch;
  readonly at: Instant;
  /** The value is in the quote currency. */
  readonly contribution: string;
  /** Null until the raise closes. */
  readonly refund: string | null;
  readonly allocation: string | null;
}

const JOINS_SHARE = 0.12;
const ICO_TOKENS = 10_000_000;

class WalletActivity {
  readonly #projects: WalletParts['projects'];
  readonly #proposals: WalletParts['proposals'];
  readonly #launches: WalletParts['launches'];
  readonly #facts: WalletParts['facts'];
  readonly #roll: WorldScene['roll'];

  constructor({ scene, projects, proposals, launches, facts }: Omit<WalletParts, 'refreshes' | 'supply'>) {
    this.#projects = projects;
    this.#proposals = proposals;
    this.#launches = launches;
    this.#facts = facts;
    this.#roll = scene.roll;
  }

  trades(wallet: string, at: Instant): readonly WorldOrder[] {
    return this.#projects
      .flatMap((who) => this.#proposals.list(who, at))
      .flatMap((proposal) => this.#proposals.tradesOf(proposal, wallet, at))
      .toSorted((a, b) => b.at - a.at)
      .map((trade) => this.#proposals.order(trade));
  }

  icos(wallet: string, at: Instant): readonly Joined[] {
    const all = this.#launches.all(at);
    const natural = all.flatMap((launch) => {
      const when = later(launch.startedAt, Math.floor(this.#roll(wallet, launch.launchAddr, 'when') * launch.seconds * 1_000));
      if (this.#roll(wallet, launch.launchAddr, 'joins') >= JOINS_SHARE || when > at) return [];
      const usd = human(rawOf(whole(this.#roll(wallet, launch.launchAddr, 'puts'), 1, 400) * 25));
      return [this.#joined(launch, usd, { when, now: at })];
    });
    const injected = factsOf(this.#facts(), 'contribution')
      .filter((fact) => fact.wallet === wallet && fact.at <= at)
      .flatMap((fact) => {
        const launch = all.find((one) => one.launchAddr === fact.launchAddr);
        return launch ? [this.#joined(launch, human(BigInt(fact.amount)), { when: fact.at, now: at })] : [];
      });
    return [...natural, ...injected].toSorted((a, b) => b.at - a.at);
  }

  #joined(launch: WorldLaunch, contribution: string, at: { readonly when: Instant; readonly now: Instant }): Joined {
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
}

export const refreshJobSchema = z.object({
  jobId: z.string(),
  wallet: walletAddressSchema,
  slug: z.string().optional(),
  requestedAt: instantSchema,
  queues: z.int().min(0),
  /** The value is in milliseconds. Ignored for a job that hangs. */
  runs: z.int().min(0),
  outcome: z.enum(['completes', 'fails', 'hangs']),
  word: z.string(),
  message: z.string(),
  mints: z.int().min(1),
  transactions: z.int().min(0),
  incomplete: z.int().min(0),
  cooldown: z.int().min(0),
});
export type RefreshJob = z.output<typeof refreshJobSchema>;

/** How long a job waits in the queue. */
const QUEUES = 2 * SECOND;

export const endOf = (job: RefreshJob): Instant | undefined =>
  job.outcome === 'hangs' ? undefined : later(job.requestedAt, job.queues + job.runs);

export const isOver = (job: RefreshJob, at: Instant): boolean => (endOf(job) ?? Infinity) <= at;

const completedAt = (job: RefreshJob, at: Instant): Instant | undefined =>
  job.outcome === 'completes' && isOver(job, at) ? endOf(job) : undefined;

export const doneShare = (job: RefreshJob, at: Instant): number =>
  Math.min(1, Math.max(0, (at - job.requestedAt - job.queues) / Math.max(1, job.runs)));

function jobIdOf(...name: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(name)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const LATEST = 12;

export function kept(jobs: readonly RefreshJob[]): readonly RefreshJob[] {
  const completes = jobs.filter(({ outcome }) => outcome === 'completes');
  const whole = completes.findLast(({ slug }) => slug === undefined);
  const bySlug = new Map(completes.flatMap((job) => (job.slug === undefined ? [] : [[job.slug, job] as const])));
  const needed = new Set([whole, ...bySlug.values(), ...jobs.slice(-LATEST)]);
  return jobs.filter((job) => needed.has(job));
}
