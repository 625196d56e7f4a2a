/** Whether the lease is held or expired, over clock readings that come in from outside. Pure. */
import { SECOND, type ClockReading } from '../../base/clock.js';
import { never } from '../../base/never.js';

/** How long the engine keeps a lease that is not renewed, by its clock. */
export const LEASE_TTL = 15 * SECOND;
/** How long this process relies on it; the rest is for the network and differing clocks. */
export const HELD_FOR = 12 * SECOND;
export const RENEW_EVERY = 5 * SECOND;

/** The monotonic clock stands still in a suspended machine, the wall clock may be set back. */
export const elapsed = (since: ClockReading, now: ClockReading): number => Math.max(now.monotonic - since.monotonic, now.wall - since.wall);

/** `expired`: not renewed in time. `taken`: another process holds it. `superseded`: a write was refused. */
export type LossReason = 'expired' | 'taken' | 'superseded';

export type LeaseState =
  | { readonly kind: 'waiting' }
  /** `since`: before the call that took or renewed it. */
  | { readonly kind: 'held'; readonly epoch: number; readonly since: ClockReading }
  | { readonly kind: 'lost'; readonly because: LossReason };

/** A call without an answer decides nothing. */
export interface LeaseAnswer {
  /** The clocks as they were before the call. */
  readonly sentAt: ClockReading;
  /** Undefined: another process holds it. */
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
