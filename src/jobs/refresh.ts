/** This module refreshes wallet snapshots. Only it writes wallet documents. */
import type { Analytics, Meter } from '../analytics/analytics.js';
import { HOUR, SECOND, later, type Clock, type Instant } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import type { RefreshEnd, RefreshProgress, RefreshStanding, WalletAddress } from '../domain/wallet.js';
import type { Store } from '../store/store.js';
import { Waiters } from './refresh/waiters.js';
import { blank, openWalletDocuments, retryPause, type WalletDocument, type WalletDocuments } from './refresh/document.js';
import { goesOn, type TargetState } from './refresh/next-action.js';
import { refreshStep, type RefreshPace, type Rest, type StepContext } from './refresh/step.js';

export interface RefresherDeps {
  readonly analytics: Analytics;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the wallets that reachable chats watch. */
  readonly watched: () => ReadonlySet<WalletAddress>;
  /** Returns the wallets that any chat watches, even one that is away. By default those of `watched`. */
  readonly kept?: () => ReadonlySet<WalletAddress>;
  /** The age is in milliseconds. */
  readonly maxAge: number;
  /** Returns the maximum age (ms) of a snapshot in the plan; longer than `maxAge` if the budget requires it. */
  readonly plannedAge?: (address: WalletAddress) => number | undefined;
  readonly changed: (address: WalletAddress) => Promise<void>;
}

export interface RefreshOrder {
  readonly address: WalletAddress;
  /** A mint; absent for all tokens. */
  readonly token?: string | undefined;
  /** A refresh that no person asked for. It has a check's priority and respects every pause. */
  readonly automatic?: boolean | undefined;
  /** The time is in milliseconds. */
  readonly patience: number;
  readonly progress?: ((progress: RefreshProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Assumed requests of a refresh: two overviews, the request and status checks. */
const DEFAULT_COST = 7;
const NEWEST_PART = 0.3;
const MAX_RUNNING = 8;
/** How long a stop waits for the answer to a request, in ms. */
const STOP_PATIENCE = 4 * SECOND;
const MAX_REST = HOUR;

interface LoadedWallets {
  readonly known: Map<WalletAddress, WalletDocument>;
  /** Keys of unreadable documents. Their wallets count as requested at the start, so that no request is repeated at once. */
  readonly damaged: Set<string>;
}

export class Refresher {
  readonly maxAge: number;
  readonly #deps: RefresherDeps;
  readonly #documents: WalletDocuments;
  readonly #known: LoadedWallets['known'];
  readonly #damaged: LoadedWallets['damaged'];
  readonly #openedAt: Instant;
  readonly #waiters = new Waiters();
  readonly #lane = lanes();
  readonly #running = new Map<WalletAddress, Promise<void>>();
  readonly #rests = new Map<WalletAddress, Rest & { readonly since: Instant }>();
  readonly #checking = new Set<Promise<void>>();
  /** The wallets that are due, oldest first. */
  readonly #line = new Set<WalletAddress>();
  /** Requests since the last check of a wallet. */
  readonly #spent = new Map<WalletAddress, number>();
  readonly #costs = new Map<WalletAddress, number>();
  readonly #stopping = new AbortController();
  readonly #givingUp = new AbortController();

  private constructor(deps: RefresherDeps, documents: WalletDocuments, { known, damaged }: LoadedWallets) {
    this.#deps = deps;
    this.maxAge = deps.maxAge;
    this.#documents = documents;
    this.#known = known;
    this.#damaged = damaged;
    this.#openedAt = deps.clock.now();
  }

  static async open(deps: RefresherDeps): Promise<Refresher> {
    const documents = openWalletDocuments(deps.store);
    const loaded: LoadedWallets = { known: new Map(), damaged: new Set() };
    for await (const { found, unreadable } of documents.scan()) {
      for (const [, document] of found) loaded.known.set(document.address, document);
      for (const { key, because } of unreadable) {
        loaded.damaged.add(key);
        deps.log.error('wallet.unreadable', { wallet: key, because });
      }
    }
    return new Refresher(deps, documents, loaded);
  }

  /** Starts due steps without waiting for them. */
  async tick(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const due = new Set([...this.#matters()].filter((address) => !this.#running.has(address) && this.#isDue(address)));
    for (const address of this.#line) if (!due.has(address)) this.#line.delete(address);
    for (const address of due) this.#line.add(address);
    for (const address of this.#line) {
      if (this.#running.size >= MAX_RUNNING) return;
      this.#line.delete(address);
      this.#begin(address);
    }
  }

  /** Waits for a refresh for at most `patience`; it continues after that. Rejects with an `AnalyticsError`. */
  async refresh({ address, token, automatic, patience, progress = () => {}, signal }: RefreshOrder): Promise<RefreshEnd> {
    signal?.throwIfAborted();
    const leave = new AbortController();
    const end = new Promise<RefreshEnd>((done, failed) => {
      const waiter = { token, automatic, progress, done, failed };
      this.#waiters.add(address, waiter);
      // A started refresh continues; one that was not started is not made.
      leave.signal.addEventListener('abort', () => this.#waiters.remove(address, waiter), { once: true });
    });
    // A running job's status is checked when it is due; anything else begins at once.
    if (this.#read(address).job === undefined && !this.#stopping.signal.aborted) this.#begin(address);
    const left = async (): Promise<RefreshEnd> => {
      const signals = [leave.signal, this.#stopping.signal, ...(signal === undefined ? [] : [signal])];
      await this.#deps.clock.sleep(patience, AbortSignal.any(signals)).catch(() => {});
      return { kind: 'going-on' };
    };
    try {
      return await Promise.race([end, left()]);
    } finally {
      leave.abort();
    }
  }

  standing(address: WalletAddress): RefreshStanding {
    const { snapshotAt, job, pause, left } = this.#read(address);
    return {
      snapshotAt,
      running: job !== undefined,
      pause: pause !== undefined && pause.until > this.#deps.clock.now() ? pause : undefined,
      incomplete: left?.accounts ?? 0,
    };
  }

  /** Returns the requests of a refresh, without those of the check after it. */
  cost(address: WalletAddress): number {
    return this.#costs.get(address) ?? DEFAULT_COST;
  }

  /** Returns the times of snapshots that did not recalculate ranks. */
  unranked(address: WalletAddress): readonly Instant[] {
    return this.#read(address).partials;
  }

  /** Deletes settled documents of wallets that nobody watches. */
  async forgetUnwatched(): Promise<void> {
    const keptNow = (): ReadonlySet<WalletAddress> => new Set([...this.#matters(), ...(this.#deps.kept?.() ?? [])]);
    const kept = new Set([...keptNow(), ...this.#running.keys()]);
    for (const { address, pause } of [...this.#known.values()]) {
      if (kept.has(address) || (pause !== undefined && pause.until > this.#deps.clock.now())) continue;
      await this.#lane.run(address, async () => {
        if (keptNow().has(address)) return;
        await this.#documents.delete(address);
        this.#known.delete(address);
        for (const by of [this.#rests, this.#spent, this.#costs]) by.delete(address);
      });
    }
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0 || this.#checking.size > 0) await Promise.allSettled([...this.#running.values(), ...this.#checking]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopping'));
    const ended = new AbortController();
    this.#deps.clock.sleep(STOP_PATIENCE, ended.signal).then(
      () => this.#givingUp.abort(this.#stopping.signal.reason),
      () => {},
    );
    await this.idle();
    ended.abort();
  }

  #read(address: WalletAddress): WalletDocument {
    const openedAt = this.#openedAt;
    return this.#known.get(address) ?? (this.#damaged.has(address) ? { ...blank(address), intent: { at: openedAt } } : blank(address));
  }

  async #write(document: WalletDocument): Promise<void> {
    await this.#documents.set(document.address, document);
    this.#known.set(document.address, document);
  }

  #target(address: WalletAddress): TargetState {
    const { watched, maxAge, plannedAge } = this.#deps;
    const waiter = this.#waiters.first(address);
    if (waiter !== undefined && waiter.automatic !== true) return { kind: 'now', token: waiter.token };
    if (waiter === undefined && !watched().has(address)) return { kind: 'finish' };
    return { kind: 'fresh', maxAge: Math.max(maxAge, plannedAge?.(address) ?? 0) };
  }

  #changed(address: WalletAddress): void {
    const before = this.#costs.get(address);
    const calls = this.#spent.get(address) ?? 0;
    if (calls > 0) this.#costs.set(address, before === undefined ? calls : before + (calls - before) * NEWEST_PART);
    this.#spent.delete(address);
    const check = this.#deps
      .changed(address)
      .catch((cause: unknown) => this.#deps.log.error('refresh.not-notified', { address, cause }))
      .finally(() => this.#checking.delete(check));
    this.#checking.add(check);
  }

  #meterOf(address: WalletAddress): Meter {
    const spend = (calls: number): void => void this.#spent.set(address, Math.max(0, (this.#spent.get(address) ?? 0) + calls));
    return { count: () => spend(1), giveBack: () => spend(-1) };
  }

  #begin(address: WalletAddress): void {
    const under = this.#lane
      .run(address, async () => this.#run(address))
      .finally(() => {
        if (this.#running.get(address) === under) this.#running.delete(address);
      });
    this.#running.set(address, under);
  }

  async #run(address: WalletAddress): Promise<void> {
    const { clock, log } = this.#deps;
    const pace: RefreshPace = this.#rests.get(address) ?? { checks: 0, tries: 0 };
    const rest = (one: Rest): void => void this.#rests.set(address, { ...one, since: clock.now() });
    try {
      rest(await refreshStep(address, pace, this.#step()));
    } catch (cause) {
      if (this.#stopping.signal.aborted) return;
      // The store failed: the document keeps the intent, so no new request is made before it is settled.
      log.error('refresh.broke', { address, cause });
      this.#waiters.fail(address, cause);
      rest({ until: later(clock.now(), retryPause(pace.tries + 1)), checks: pace.checks, tries: pace.tries + 1 });
    }
  }

  #step(): StepContext {
    const { analytics, clock, log } = this.#deps;
    return {
      ...{ analytics, clock, log },
      waiters: this.#waiters,
      read: (address) => this.#read(address),
      write: async (document) => this.#write(document),
      target: (address) => this.#target(address),
      changed: (address) => this.#changed(address),
      meterOf: (address) => this.#meterOf(address),
      signal: this.#stopping.signal,
      givenUp: this.#givingUp.signal,
    };
  }

  #isDue(address: WalletAddress): boolean {
    const rest = this.#rests.get(address);
    const now = this.#deps.clock.now();
    if (rest === undefined || now < rest.since || now - rest.since > MAX_REST) return true;
    // A rest without an end had nothing left to do. The wallet is due again because somebody watches it or asks.
    return rest.until === undefined || rest.until <= now;
  }

  #matters(): ReadonlySet<WalletAddress> {
    const open = [...this.#known.values()].filter(isOpen).map(({ address }) => address);
    return new Set([...this.#waiters.all(), ...this.#deps.watched(), ...open]);
  }
}

const isOpen = (document: WalletDocument): boolean => document.job !== undefined || document.intent !== undefined || goesOn(document);
