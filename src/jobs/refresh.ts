/** Keeps snapshots fresh; sole writer of wallet documents. */
import type { Analytics, Meter } from '../analytics/analytics.js';
import { HOUR, SECOND, later, type Clock, type Instant } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import type { RefreshEnd, RefreshProgress, RefreshStanding, WalletAddress } from '../domain/wallet.js';
import type { Store } from '../store/store.js';
import { createWaiters } from './refresh/waiters.js';
import { blank, openWalletDocuments, retryPause, type WalletDocument } from './refresh/document.js';
import { goesOn, type TargetState } from './refresh/next-action.js';
import { refreshStep, type RefreshPace, type Rest } from './refresh/step.js';

export interface RefresherDeps {
  readonly analytics: Analytics;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** By chats that can be posted in. */
  readonly watched: () => ReadonlySet<WalletAddress>;
  /** With chats that are away. Default: `watched`. */
  readonly kept?: () => ReadonlySet<WalletAddress>;
  /** In ms. */
  readonly maxAge: number;
  /** Longer than `maxAge` if the budget requires it. */
  readonly plannedAge?: (address: WalletAddress) => number | undefined;
  readonly changed: (address: WalletAddress) => Promise<void>;
}

export interface RefreshOrder {
  readonly address: WalletAddress;
  /** A mint; absent: all tokens. */
  readonly token?: string | undefined;
  /** With a check's priority, respecting every pause. */
  readonly automatic?: boolean | undefined;
  /** In ms. */
  readonly patience: number;
  readonly progress?: ((progress: RefreshProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Refresher {
  /** Does not wait for the steps. */
  tick(): Promise<void>;
  /** At most `patience`; the refresh goes on. Rejects with an `AnalyticsError`. */
  refresh(order: RefreshOrder): Promise<RefreshEnd>;
  standing(address: WalletAddress): RefreshStanding;
  readonly maxAge: number;
  /** Without the check after it. */
  cost(address: WalletAddress): number;
  /** Snapshots that did not recalculate ranks. */
  unranked(address: WalletAddress): readonly Instant[];
  /** Settled documents of unwatched wallets. */
  sweep(): Promise<void>;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Two overviews, the request, status checks. */
const DEFAULT_COST = 7;
const NEWEST_PART = 0.3;
const MAX_AT_ONCE = 8;
/** Of a stop, for the answer to a request. Milliseconds. */
const STOP_PATIENCE = 4 * SECOND;
const MAX_REST = HOUR;

/** Unreadable counts as requested just now. */
export async function openRefresher(needs: RefresherDeps): Promise<Refresher> {
  const { analytics, store, clock, log, watched, maxAge } = needs;
  const documents = openWalletDocuments(store);
  const known = new Map<WalletAddress, WalletDocument>();
  const damaged = new Set<string>();
  for await (const { found, unreadable } of documents.scan()) {
    for (const [, document] of found) known.set(document.address, document);
    for (const { key, because } of unreadable) {
      damaged.add(key);
      log.error('wallet.unreadable', { wallet: key, because });
    }
  }
  const openedAt = clock.now();

  const waiters = createWaiters();
  const lane = lanes();
  const running = new Map<WalletAddress, Promise<void>>();
  const rests = new Map<WalletAddress, Rest & { readonly since: Instant }>();
  const checking = new Set<Promise<void>>();
  /** Oldest first. */
  const line = new Set<WalletAddress>();
  const spent = new Map<WalletAddress, number>();
  const costs = new Map<WalletAddress, number>();
  const spend = (address: WalletAddress, calls: number): void => void spent.set(address, Math.max(0, (spent.get(address) ?? 0) + calls));
  const meterOf = (address: WalletAddress): Meter => ({ count: () => spend(address, 1), giveBack: () => spend(address, -1) });
  const stopping = new AbortController();
  const givingUp = new AbortController();

  const read = (address: WalletAddress): WalletDocument =>
    known.get(address) ?? (damaged.has(address) ? { ...blank(address), intent: { at: openedAt } } : blank(address));
  const target = (address: WalletAddress): TargetState => {
    const waiter = waiters.first(address);
    if (waiter !== undefined && waiter.automatic !== true) return { kind: 'now', token: waiter.token };
    if (waiter === undefined && !watched().has(address)) return { kind: 'finish' };
    return { kind: 'fresh', maxAge: Math.max(maxAge, needs.plannedAge?.(address) ?? 0) };
  };
  const changed = (address: WalletAddress): void => {
    const before = costs.get(address);
    const calls = spent.get(address) ?? 0;
    if (calls > 0) costs.set(address, before === undefined ? calls : before + (calls - before) * NEWEST_PART);
    spent.delete(address);
    const check = needs
      .changed(address)
      .catch((cause: unknown) => log.error('refresh.not-notified', { address, cause }))
      .finally(() => checking.delete(check));
    checking.add(check);
  };
  const write = async (document: WalletDocument): Promise<void> => {
    await documents.set(document.address, document);
    known.set(document.address, document);
  };
  const context = {
    analytics,
    clock,
    log,
    waiters,
    read,
    write,
    target,
    changed,
    meterOf,
    signal: stopping.signal,
    givenUp: givingUp.signal,
  };

  const run = async (address: WalletAddress): Promise<void> => {
    const pace: RefreshPace = rests.get(address) ?? { checks: 0, tries: 0 };
    const rest = (one: Rest): void => void rests.set(address, { ...one, since: clock.now() });
    try {
      rest(await refreshStep(address, pace, context));
    } catch (cause) {
      if (stopping.signal.aborted) return;
      // The store failed: the document keeps the intent, so no new request is made before it is settled.
      log.error('refresh.broke', { address, cause });
      waiters.fail(address, cause);
      rest({ until: later(clock.now(), retryPause(pace.tries + 1)), checks: pace.checks, tries: pace.tries + 1 });
    }
  };
  const begin = (address: WalletAddress): void => {
    const under = lane
      .run(address, async () => run(address))
      .finally(() => {
        if (running.get(address) === under) running.delete(address);
      });
    running.set(address, under);
  };
  const isDue = (address: WalletAddress): boolean => {
    const rest = rests.get(address);
    const now = clock.now();
    if (rest === undefined || now < rest.since || now - rest.since > MAX_REST) return true;
    // Without an end nothing was left to do: it matters again since somebody watches it or asks.
    return rest.until === undefined || rest.until <= now;
  };
  const isOpen = (document: WalletDocument): boolean => document.job !== undefined || document.intent !== undefined || goesOn(document);
  const matters = (): ReadonlySet<WalletAddress> =>
    new Set([...waiters.all(), ...watched(), ...[...known.values()].filter(isOpen).map(({ address }) => address)]);

  const idle = async (): Promise<void> => {
    while (running.size > 0 || checking.size > 0) await Promise.allSettled([...running.values(), ...checking]);
  };

  return {
    maxAge,
    cost: (address) => costs.get(address) ?? DEFAULT_COST,
    unranked: (address) => read(address).partials,
    standing(address) {
      const { snapshotAt, job, pause, left } = read(address);
      return {
        snapshotAt,
        running: job !== undefined,
        pause: pause !== undefined && pause.until > clock.now() ? pause : undefined,
        incomplete: left?.accounts ?? 0,
      };
    },

    async tick() {
      if (stopping.signal.aborted) return;
      const due = new Set([...matters()].filter((address) => !running.has(address) && isDue(address)));
      for (const address of line) if (!due.has(address)) line.delete(address);
      for (const address of due) line.add(address);
      for (const address of line) {
        if (running.size >= MAX_AT_ONCE) return;
        line.delete(address);
        begin(address);
      }
    },

    async refresh({ address, token, automatic, patience, progress = () => {}, signal }) {
      signal?.throwIfAborted();
      const leave = new AbortController();
      const end = new Promise<RefreshEnd>((done, failed) => {
        const waiter = { token, automatic, progress, done, failed };
        waiters.add(address, waiter);
        // A started refresh continues; one that was not started is not made.
        leave.signal.addEventListener('abort', () => waiters.remove(address, waiter), { once: true });
      });
      // A job's status is checked on time; anything else is done at once.
      if (read(address).job === undefined && !stopping.signal.aborted) begin(address);
      const left = async (): Promise<RefreshEnd> => {
        const signals = [leave.signal, stopping.signal, ...(signal === undefined ? [] : [signal])];
        await clock.sleep(patience, AbortSignal.any(signals)).catch(() => {});
        return { kind: 'going-on' };
      };
      try {
        return await Promise.race([end, left()]);
      } finally {
        leave.abort();
      }
    },

    async sweep() {
      const keptNow = (): ReadonlySet<WalletAddress> => new Set([...matters(), ...(needs.kept?.() ?? [])]);
      const kept = new Set([...keptNow(), ...running.keys()]);
      for (const { address, pause } of [...known.values()]) {
        if (kept.has(address) || (pause !== undefined && pause.until > clock.now())) continue;
        await lane.run(address, async () => {
          if (keptNow().has(address)) return;
          await documents.delete(address);
          known.delete(address);
          for (const by of [rests, spent, costs]) by.delete(address);
        });
      }
    },

    idle,

    async stop() {
      stopping.abort(new Error('stopping'));
      const ended = new AbortController();
      clock.sleep(STOP_PATIENCE, ended.signal).then(
        () => givingUp.abort(stopping.signal.reason),
        () => {},
      );
      await idle();
      ended.abort();
    },
  };
}
