/** Takes and renews the lease of a shared engine. Clock readings decide whether it is still held. */
import { SECOND, type ClockReading } from '../../base/clock.js';
import { within } from '../../base/deadline.js';
import type { MachineClock } from '../../base/trusted-clock.js';
import type { Log } from '../../base/log.js';
import { signalOnce } from '../../base/when-ready.js';
import { StoreError, type SharedEngine } from '../../store/store.js';
import { never } from '../../base/never.js';

export interface LeaseDeps {
  readonly shared: Pick<SharedEngine, 'acquire' | 'release'>;
  readonly holder: string;
  /** The machine's unfiltered clock, which shows that the machine was suspended. */
  readonly clock: MachineClock;
  readonly log: Log;
}

/** How long the engine keeps a lease that is not renewed, by its clock. */
export const LEASE_TTL = 15 * SECOND;
/** How long this process relies on the lease; the remainder is for the network and clock differences. */
export const HELD_FOR = 12 * SECOND;
const RENEW_EVERY = 5 * SECOND;
/** The interval between decisions. */
const STEP = SECOND;
/** If a call takes longer, a second one is made in parallel. */
const CALL_PATIENCE = 2 * SECOND;
/** The most open calls, if the engine answers none. */
const MAX_UNANSWERED = 3;
/** A call that takes longer counts as lost with its connection. */
const GIVEN_UP_AFTER = 2 * LEASE_TTL;
const RELEASE_PATIENCE = 2 * SECOND;

/** The lease of this process. Requested as soon as the object is created. */
export class Lease {
  /** Resolves with the first answer or failure. */
  readonly asked: Promise<void>;
  /** Resolves once the lease is held. */
  readonly taken: Promise<void>;
  /** Resolves with the reason for the loss, at most once. */
  readonly lost: Promise<LossReason>;
  readonly #deps: LeaseDeps;
  readonly #unanswered = new Set<ClockReading>();
  readonly #asked = signalOnce();
  readonly #taken = signalOnce();
  readonly #ended = new AbortController();
  readonly #running: Promise<void>;
  #tellLost: (reason: LossReason) => void = () => {};
  #state: LeaseState = { kind: 'waiting' };
  #isFailing = false;
  #stopping: Promise<void> | undefined;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
    this.asked = this.#asked.done;
    this.taken = this.#taken.done;
    this.lost = new Promise<LossReason>((resolve) => void (this.#tellLost = resolve));
    this.#running = this.#run();
  }

  /** Tells whether the lease is held. Checked before every request to a platform and every POST. */
  isHeld(): boolean {
    return this.#stopping === undefined && isHeldAt(this.#state, this.#now());
  }

  /** Called when the engine refused a write for its epoch. */
  superseded(): void {
    if (!this.#ended.signal.aborted) this.#become({ kind: 'lost', because: 'superseded' });
  }

  /** Releases the lease. Call it after everything else has stopped. Idempotent. */
  async stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      const at = this.#now();
      const unanswered = this.#unanswered;
      this.#become(atTime(this.#state, at));
      for (const sentAt of unanswered) if (elapsed(sentAt, at) >= GIVEN_UP_AFTER) unanswered.delete(sentAt);
      const isCalling = [...unanswered].some((sentAt) => elapsed(sentAt, at) < CALL_PATIENCE);
      const state = this.#state;
      const isDue = state.kind === 'waiting' || (state.kind === 'held' && elapsed(state.since, at) >= RENEW_EVERY);
      if (isDue && !isCalling && unanswered.size < MAX_UNANSWERED) void this.#attempt();
      await this.#deps.clock.sleep(STEP, signal).catch(() => undefined);
    }
  }

  async #attempt(): Promise<void> {
    const { shared, holder, log } = this.#deps;
    const sentAt = this.#now();
    this.#unanswered.add(sentAt);
    try {
      const answer = await shared.acquire(holder, LEASE_TTL);
      // The result of a call that was under way at the stop is ignored.
      if (!this.#ended.signal.aborted) this.#become(afterAnswer(this.#state, { sentAt, epoch: answer?.epoch }, this.#now()));
      if (this.#isFailing) log.info('lease.well-again');
      this.#isFailing = false;
    } catch (cause) {
      if (isSuperseded(cause)) this.superseded();
      else if (!this.#isFailing && !this.#ended.signal.aborted) log.warn('lease.not-asked', { cause });
      this.#isFailing = true;
    } finally {
      this.#unanswered.delete(sentAt);
      this.#asked.signal();
    }
  }

  #become(next: LeaseState): void {
    const { log } = this.#deps;
    const before = this.#state;
    this.#state = next;
    if (before.kind !== 'held' && next.kind === 'held') {
      log.info('lease.taken', { epoch: next.epoch });
      this.#taken.signal();
    }
    if (before.kind !== 'lost' && next.kind === 'lost') {
      log.error('lease.lost', { because: next.because });
      this.#ended.abort();
      this.#tellLost(next.because);
    }
  }

  async #stop(): Promise<void> {
    const { clock, log, shared } = this.#deps;
    this.#ended.abort();
    await this.#running;
    // A lost lease is not released but expires, so that requests on the wire arrive before.
    if (this.#state.kind === 'lost') return;
    const released = shared.release().catch((cause: unknown) => log.warn('lease.not-released', { cause }));
    await within(clock, RELEASE_PATIENCE, released);
  }

  #now(): ClockReading {
    const { clock } = this.#deps;
    return { monotonic: clock.monotonic(), wall: clock.now() };
  }
}

export const isSuperseded = (cause: unknown): boolean => cause instanceof StoreError && cause.trouble === 'superseded';

/** Takes the larger difference: the monotonic clock stops while the machine is suspended, and the wall clock may be set back. */
const elapsed = (since: ClockReading, now: ClockReading): number => Math.max(now.monotonic - since.monotonic, now.wall - since.wall);

/** `expired`: not renewed in time; `taken`: another process holds the lease; `superseded`: a write was refused. */
export type LossReason = 'expired' | 'taken' | 'superseded';

export type LeaseState =
  | { readonly kind: 'waiting' }
  /** `since` was read before the call that took or renewed the lease. */
  | { readonly kind: 'held'; readonly epoch: number; readonly since: ClockReading }
  | { readonly kind: 'lost'; readonly because: LossReason };

/** The engine's answer to a call. A call without an answer changes nothing. */
interface LeaseAnswer {
  /** The clocks as they were before the call. */
  readonly sentAt: ClockReading;
  /** Undefined if another process holds the lease. */
  readonly epoch: number | undefined;
}

/** Returns the state after an answer. A lost lease stays lost. */
export function afterAnswer(state: LeaseState, { sentAt, epoch }: LeaseAnswer, now: ClockReading): LeaseState {
  const current = atTime(state, now);
  switch (current.kind) {
    case 'lost':
      return current;
    case 'waiting':
      // If the answer took longer than `HELD_FOR`, the lease counts as not held, and it is requested again.
      return epoch === undefined ? current : stillHeld({ kind: 'held', epoch, since: sentAt }, now);
    case 'held':
      if (epoch === undefined) return { kind: 'lost', because: 'taken' };
      // With another epoch, another process may have been active in between.
      if (epoch !== current.epoch) return { kind: 'lost', because: 'taken' };
      // Answers may arrive out of order, so the later call counts.
      return elapsed(sentAt, now) < elapsed(current.since, now) ? { ...current, since: sentAt } : current;
    default:
      return never(current);
  }
}

export const isHeldAt = (state: LeaseState, now: ClockReading): boolean => state.kind === 'held' && elapsed(state.since, now) < HELD_FOR;

export const atTime = (state: LeaseState, now: ClockReading): LeaseState =>
  state.kind === 'held' && !isHeldAt(state, now) ? { kind: 'lost', because: 'expired' } : state;

const stillHeld = (held: Extract<LeaseState, { kind: 'held' }>, now: ClockReading): LeaseState =>
  isHeldAt(held, now) ? held : { kind: 'waiting' };
