/** Wallets and their refresh jobs: a snapshot is taken by a job, and the next job may be asked for only after the wait. */
import { HOUR, SECOND } from '../../../src/base/clock.js';
import type { World } from './world.js';
import type { Query } from './responses.js';

export interface WalletJobs {
  respond(query: Query): { readonly data: unknown } | { readonly rows: readonly unknown[] } | undefined;
  /** A refresh is asked for; undefined: too early. */
  refresh(wallet: string, now: number): { readonly jobId: string; readonly alreadyRunning: boolean } | undefined;
  /** Refreshes that came before the wait was over. */
  readonly tooEarly: readonly { readonly wallet: string; readonly at: number }[];
  readonly asked: readonly { readonly wallet: string; readonly at: number }[];
  /** When the snapshot was taken that was there before all. */
  readonly firstSnapshot: number;
  /** The seconds to wait yet. */
  wait(wallet: string, now: number): number;
}

interface Job {
  readonly id: string;
  readonly wallet: string;
  readonly at: number;
}

/** Of a job, and between two of a wallet. */
const RUNS = 20 * SECOND;
const COOLDOWN = HOUR;
/** Before a simulation begins. */
const FIRST_SNAPSHOT = 30 * 60 * SECOND;
const PREFIX = '/v1/trading-activity/special-wallet';

export function walletJobs({ holdings }: Pick<World, 'holdings'>, start: number): WalletJobs {
  const jobs: Job[] = [];
  const tooEarly: { readonly wallet: string; readonly at: number }[] = [];
  const wallets = new Set(holdings.map(({ wallet }) => wallet));
  const seconds = (moment: number): number => Math.floor(moment / SECOND);
  const lastOf = (wallet: string): Job | undefined => jobs.findLast((job) => job.wallet === wallet);
  const snapshotOf = (wallet: string, now: number): number =>
    jobs.findLast((job) => job.wallet === wallet && job.at + RUNS <= now)?.at ?? start - FIRST_SNAPSHOT;
  const running = (wallet: string, now: number): Job | undefined => {
    const last = lastOf(wallet);
    return last !== undefined && now < last.at + RUNS ? last : undefined;
  };
  const wait = (wallet: string, now: number): number => {
    const last = lastOf(wallet);
    return last === undefined ? 0 : Math.max(0, Math.ceil((last.at + COOLDOWN - now) / SECOND));
  };
  const freshness = (wallet: string, now: number) => ({
    holdingsLastUpdate: seconds(snapshotOf(wallet, now)),
    needsRefresh: false,
    historySyncStatus: 'completed',
    refreshLimited: wait(wallet, now) > 0,
    refreshRetryAfterSeconds: wait(wallet, now) || null,
  });
  const heldBy = (wallet: string, now: number) => {
    const at = snapshotOf(wallet, now);
    const known = holdings.filter((one) => one.wallet === wallet && one.at <= at);
    return [...new Map(known.map((one) => [one.project, one])).values()].map(({ project, balance }) => ({
      tokenAddress: `${project}Mint`,
      tokenSymbol: project.toUpperCase(),
      projectName: project,
      projectSlug: project,
      balance: `${balance}`,
      usdPrice: '1',
      value: `${balance}`,
      syncedAt: seconds(at),
    }));
  };
  const jobView = (job: Job, now: number) => ({
    jobId: job.id,
    walletPublicKey: job.wallet,
    status: now < job.at + RUNS ? 'running' : 'completed',
    progress: { totalMints: 1, processedMints: 1, processedAccounts: 1, incompleteAccounts: 0, scannedTransactions: 1 },
    requestedAt: seconds(job.at),
    finishedAt: now < job.at + RUNS ? null : seconds(job.at + RUNS),
    holdingsLastUpdate: now < job.at + RUNS ? null : seconds(job.at),
    error: null,
  });

  return {
    tooEarly,
    asked: jobs,
    firstSnapshot: start - FIRST_SNAPSHOT,
    wait,
    refresh(wallet, now) {
      const under = running(wallet, now);
      if (under !== undefined) return { jobId: under.id, alreadyRunning: true };
      if (wait(wallet, now) > 0) {
        tooEarly.push({ wallet, at: now });
        return undefined;
      }
      const id = `job-${jobs.length + 1}`;
      jobs.push({ id, wallet, at: now });
      return { jobId: id, alreadyRunning: false };
    },
    respond({ path, input, now }) {
      if (path === `${PREFIX}/holdings/refresh-status`) {
        const job = jobs.find(({ id }) => id === input['jobId']);
        return job && { data: jobView(job, now) };
      }
      const wallet = input['walletPublicKey'] ?? '';
      if (!wallets.has(wallet)) return undefined;
      const under = running(wallet, now);
      switch (path) {
        case `${PREFIX}/overview`:
          return {
            data: {
              ...freshness(wallet, now),
              totalVolume: 0,
              totalTrades: 0,
              refreshJob: under === undefined ? null : jobView(under, now),
            },
          };
        case `${PREFIX}/holdings/overview`:
          return { data: { ...freshness(wallet, now), totalAssets: heldBy(wallet, now).length } };
        case `${PREFIX}/holdings`:
          return { rows: heldBy(wallet, now) };
        case `${PREFIX}/decision-markets`:
        case `${PREFIX}/ico-participation`:
          return { rows: [] };
        default:
          return undefined;
      }
    },
  };
}
