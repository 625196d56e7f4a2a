/** Takes and renews the lease of a shared engine; the others stand by. */
import { SECOND, type ClockReading } from '../../base/clock.js';
import { within } from '../../base/deadline.js';
import type { MachineClock } from '../../base/trusted-clock.js';
import type { Log } from '../../base/log.js';
import { signalOnce } from '../../base/when-ready.js';
import { StoreError, type SharedEngine } from '../../store/store.js';
import { LEASE_TTL, RENEW_EVERY, afterAnswer, atTime, elapsed, isHeldAt, type LeaseState, type LossReason } from './expiry.js';

export interface Lease {
  /** Checked before every request to a platform and every POST. */
  isHeld(): boolean;
  /** Resolves with the first answer or failure. */
  readonly asked: Promise<void>;
  /** Resolves once held. */
  readonly taken: Promise<void>;
  /** Resolves with the reason, at most once. */
  readonly lost: Promise<LossReason>;
  /** A write was refused for its epoch. */
  superseded(): void;
  /** Releases the lease, after everything else has stopped. Idempotent. */
  stop(): Promise<void>;
}

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
/** Its connection is gone. */
const GIVEN_UP_AFTER = 2 * LEASE_TTL;
const RELEASE_PATIENCE = 2 * SECOND;

/** Begins to ask for it at once. */
export function openLease({ shared, holder, clock, log }: LeaseDeps): Lease {
  let state: LeaseState = { kind: 'waiting' };
  const unanswered = new Set<ClockReading>();
  let isFailing = false;
  const [asked, taken, ended] = [signalOnce(), signalOnce(), new AbortController()];
  let tellLost: (reason: LossReason) => void = () => {};
  const lost = new Promise<LossReason>((resolve) => void (tellLost = resolve));
  const now = (): ClockReading => ({ monotonic: clock.monotonic(), wall: clock.now() });

  const become = (next: LeaseState): void => {
    const before = state;
    state = next;
    if (before.kind !== 'held' && next.kind === 'held') {
      log.info('lease.taken', { epoch: next.epoch });
      taken.signal();
    }
    if (before.kind !== 'lost' && next.kind === 'lost') {
      log.error('lease.lost', { because: next.because });
      ended.abort();
      tellLost(next.because);
    }
  };
  const attempt = async (): Promise<void> => {
    const sentAt = now();
    unanswered.add(sentAt);
    try {
      const answer = await shared.acquire(holder, LEASE_TTL);
      // A call that was under way at the stop decides nothing any more.
      if (!ended.signal.aborted) become(afterAnswer(state, { sentAt, epoch: answer?.epoch }, now()));
      if (isFailing) log.info('lease.well-again');
      isFailing = false;
    } catch (cause) {
      if (isSuperseded(cause)) superseded();
      else if (!isFailing && !ended.signal.aborted) log.warn('lease.not-asked', { cause });
      isFailing = true;
    } finally {
      unanswered.delete(sentAt);
      asked.signal();
    }
  };
  const superseded = (): void => {
    if (!ended.signal.aborted) become({ kind: 'lost', because: 'superseded' });
  };
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const at = now();
      become(atTime(state, at));
      for (const sentAt of unanswered) if (elapsed(sentAt, at) >= GIVEN_UP_AFTER) unanswered.delete(sentAt);
      const isCalling = [...unanswered].some((sentAt) => elapsed(sentAt, at) < CALL_PATIENCE);
      const isDue = state.kind === 'waiting' || (state.kind === 'held' && elapsed(state.since, at) >= RENEW_EVERY);
      if (isDue && !isCalling && unanswered.size < MAX_UNANSWERED) void attempt();
      await clock.sleep(STEP, ended.signal).catch(() => undefined);
    }
  };
  const running = run();
  const stop = async (): Promise<void> => {
    ended.abort();
    await running;
    // After a loss it expires by itself, once what is on the wire has arrived.
    if (state.kind === 'lost') return;
    const released = shared.release().catch((cause: unknown) => log.warn('lease.not-released', { cause }));
    await within(clock, RELEASE_PATIENCE, released);
  };
  let stopping: Promise<void> | undefined;
  return {
    isHeld: () => stopping === undefined && isHeldAt(state, now()),
    asked: asked.done,
    taken: taken.done,
    lost,
    superseded,
    stop: async () => (stopping ??= stop()),
  };
}

export const isSuperseded = (cause: unknown): boolean => cause instanceof StoreError && cause.trouble === 'superseded';
