/** A refresher and a service whose answers a test sets, under a clock that it turns. */
import type { Analytics, CallOptions } from '../../../src/analytics/analytics.js';
import { AnalyticsError, type Trouble } from '../../../src/analytics/errors.js';
import { HOUR, instant, SECOND, type Clock, type Instant } from '../../../src/base/clock.js';
import { walletAddress, type WalletAddress } from '../../../src/domain/wallet.js';
import { Refresher, type RefreshOrder } from '../../../src/jobs/refresh.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { handClock } from '../../support/clock.js';

export const NOON = instant(Date.UTC(2026, 10, 21, 12));
export const WALLET = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
export const MINT = 'TideMint1111111111111111111111111111111111';

type Called = 'overview' | 'ask' | 'ask-token' | 'status';

const NAMES: Readonly<Record<string, Called>> = {
  'wallets.overview': 'overview',
  'wallets.refresh': 'ask',
  'wallets.refresh-token': 'ask-token',
  'wallets.refresh-status': 'status',
};

export interface Call {
  readonly what: Called;
  readonly at: Instant;
  readonly priority: CallOptions['priority'];
}

interface Overview {
  readonly snapshotAt?: Instant;
  readonly limited?: boolean;
  readonly retryAfterSeconds?: number;
  readonly job?: { readonly id: string };
}

interface Status {
  readonly status?: string;
  readonly tokens?: number;
  readonly tokensDone?: number;
  readonly transactions?: number;
  readonly incomplete?: number;
  readonly snapshotAt?: Instant;
  readonly error?: string;
}

/** What each request is answered from now on. */
export interface Answers {
  overview: Overview | AnalyticsError;
  ask: { readonly jobId: string; readonly alreadyRunning: boolean } | AnalyticsError;
  status: Status | AnalyticsError;
}

export const failure = (trouble: Trouble, until?: Instant): AnalyticsError =>
  new AnalyticsError({ trouble, row: 'wallets', detail: `it is ${trouble}`, ...(until === undefined ? {} : { until }) });

export async function openScripted({
  watched = [WALLET],
  maxAge = HOUR,
  store,
  hand = handClock(NOON),
}: { watched?: readonly WalletAddress[]; maxAge?: number; store?: Store; hand?: ReturnType<typeof handClock> } = {}) {
  const base = store ?? (await openStore('memory://'));
  const calls: Call[] = [];
  const answers: Answers = { overview: {}, ask: { jobId: 'job-1', alreadyRunning: false }, status: { status: 'running' } };
  const back = { by: 0 };
  const clock: Clock = { now: () => instant(hand.now() - back.by), sleep: hand.sleep };
  /** `until`: no answer before. `arrived`: once a request has arrived. */
  const held: { until?: Promise<void> | undefined; arrived?: ((what: Called) => void) | undefined } = {};
  const call = async (row: { readonly id: string }, _: unknown, options?: CallOptions): Promise<never> => {
    const what = NAMES[row.id] ?? 'overview';
    calls.push({ what, at: clock.now(), priority: options?.priority });
    options?.meter?.count();
    await held.until;
    const answer = answers[what === 'ask-token' ? 'ask' : what];
    held.arrived?.(what);
    if (answer instanceof AnalyticsError) throw answer;
    const data = what === 'overview' ? { limited: false, ...answer } : what === 'status' ? { incomplete: 0, ...answer } : answer;
    return { data, at: clock.now() } as never;
  };
  const analytics: Analytics = {
    call,
    walk: async () => Promise.reject(new Error('no list is read')),
    kept: async () => undefined,
    state: () => ({ budget: { used: 0, resetsAt: instant(0) } }),
  };
  const logged: string[] = [];
  const write = (event: string): void => void logged.push(event);
  const chats = { watched: new Set(watched), plannedAge: undefined as number | undefined };
  const changed: Instant[] = [];
  const onChange: { run: () => Promise<void> } = { run: async () => {} };
  const refresher = await Refresher.open({
    ...{ analytics, store: base, clock, maxAge },
    log: { error: write, warn: write, info: write, debug: write },
    watched: () => chats.watched,
    plannedAge: () => chats.plannedAge,
    changed: async () => {
      changed.push(clock.now());
      await onChange.run();
    },
  });
  /** Ticks each second for so long. */
  const run = async (milliseconds: number, step = SECOND): Promise<void> => {
    for (let gone = 0; gone < milliseconds; gone += step) {
      await refresher.tick();
      await refresher.idle();
      await hand.advance(step);
    }
  };
  return {
    ...methodsOf(refresher),
    run,
    ...{ calls, answers, chats, changed, onChange, logged, hand, back, held, store: base },
    /** When these were asked, in seconds since noon. */
    times: (what: Called): readonly number[] => calls.filter((one) => one.what === what).map(({ at }) => (at - NOON) / SECOND),
    whats: (): readonly Called[] => calls.map(({ what }) => what),
  };
}

/** The methods of a refresher, bound to it. */
export const methodsOf = (refresher: Refresher) => ({
  maxAge: refresher.maxAge,
  tick: async () => refresher.tick(),
  refresh: async (order: RefreshOrder) => refresher.refresh(order),
  standing: (address: WalletAddress) => refresher.standing(address),
  cost: (address: WalletAddress) => refresher.cost(address),
  unranked: (address: WalletAddress) => refresher.unranked(address),
  sweep: async () => refresher.forgetUnwatched(),
  idle: async () => refresher.idle(),
  stop: async () => refresher.stop(),
});
