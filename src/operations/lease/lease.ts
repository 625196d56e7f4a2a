/** Takes and renews the lease of a shared engine while the others stand by; whether it is held follows from clock readings. */
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
  /** As the machine shows it, so that one that was suspended is noticed. */
  readonly clock: MachineClock;
  readonly log: Log;
}

/** This is how long the engine keeps a lease that is not renewed, by its clock. */
export const LEASE_TTL = 15 * SECOND;
/** This is how long this process relies on it; the rest is for the network and differing clocks. */
export const HELD_FOR = 12 * SECOND;
const RENEW_EVERY = 5 * SECOND;
/** Decisions are so far apart. */
const STEP = SECOND;
/** A call that takes longer is made again beside it. */
const CALL_PATIENCE = 2 * SECOND;
/** So many calls are open at most, should an engine answer none. */
const MAX_UNANSWERED = 3;
/** The connection of a call that takes longer is gone. */
const GIVEN_UP_AFTER = 2 * LEASE_TTL;
const RELEASE_PATIENCE = 2 * SECOND;

/** Begins to ask for it at once. */
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

  /** It is checked before every request to a platform and every POST. */
  isHeld(): boolean {
    return this.#stopping === undefined && isHeldAt(this.#state, this.#now());
  }

  /** A write was refused for its epoch. */
  superseded(): void {
    if (!this.#ended.signal.aborted) this.#become({ kind: 'lost', because: 'superseded' });
  }

  /** Releases the lease, after everything else has stopped. It is idempotent. */
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
      // A call that was under way at the stop decides nothing any more.
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
    // After a loss it expires by itself, once what is on the wire has arrived.
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

/** The monotonic clock stands still in a suspended machine, the wall clock may be set back. */
const elapsed = (since: ClockReading, now: ClockReading): number => Math.max(now.monotonic - since.monotonic, now.wall - since.wall);

/** It `expired` if it was not renewed in time, is `taken` if another process holds it, and `superseded` if a write was refused. */
export type LossReason = 'expired' | 'taken' | 'superseded';

export type LeaseState =
  | { readonly kind: 'waiting' }
  /** `since` is before the call that took or renewed it. */
  | { readonly kind: 'held'; readonly epoch: number; readonly since: ClockReading }
  | { readonly kind: 'lost'; readonly because: LossReason };

/** A call without an answer decides nothing. */
interface LeaseAnswer {
  /** The clocks as they were before the call. */
  readonly sentAt: ClockReading;
  /** It is undefined where another process holds the lease. */
  readonly epoch: number | undefined;
}

/** Once lost, it stays lost. */
export function afterAnswer(state: LeaseState, { sentAt, epoch }: LeaseAnswer, now: ClockReading): LeaseState {
  const current = atTime(state, now);
  switch (current.kind) {
    case 'lost':
      return current;
    case 'waiting':
      // An answer that took longer than the lease may be relied on is asked for again.
      return epoch === undefined ? current : stillHeld({ kind: 'held', epoch, since: sentAt }, now);
    case 'held':
      if (epoch === undefined) return { kind: 'lost', because: 'taken' };
      // Another epoch: somebody may have been active between the two.
      if (epoch !== current.epoch) return { kind: 'lost', because: 'taken' };
      // An earlier call may be answered after a later one.
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
