/** Takes and renews the lease of a shared engine; the others stand by. */
import { SECOND, type ClockReading } from '../../base/clock.js';
import { within } from '../../base/deadline.js';
import type { MachineClock } from '../../base/trusted-clock.js';
import type { Log } from '../../base/log.js';
import { signalOnce } from '../../base/when-ready.js';
import { StoreError, type SharedEngine } from '../../store/store.js';
import { LEASE_TTL, RENEW_EVERY, afterAnswer, atTime, elapsed, isHeldAt, type LeaseState, type LossReason } from './expiry.js';

export interface LeaseDeps {
  readonly shared: Pick<SharedEngine, 'acquire' | 'release'>;
  readonly holder: string;
  /** As the machine shows it, so that one that was suspended is noticed. */
  readonly clock: MachineClock;
  readonly log: Log;
}

/** Between two decisions. */
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
  /** Resolves once held. */
  readonly taken: Promise<void>;
  /** Resolves with the reason, at most once. */
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

  /** Checked before every request to a platform and every POST. */
  isHeld(): boolean {
    return this.#stopping === undefined && isHeldAt(this.#state, this.#now());
  }

  /** A write was refused for its epoch. */
  superseded(): void {
    if (!this.#ended.signal.aborted) this.#become({ kind: 'lost', because: 'superseded' });
  }

  /** Releases the lease, after everything else has stopped. Idempotent. */
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
