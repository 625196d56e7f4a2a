/** Decides whether this process may act on a shared engine: pure, over clock readings that come in from outside. */
import { SECOND } from '../../base/clock.js';
import { never } from '../../base/never.js';

/** How long the engine keeps the lease of a process that does not renew it, by the engine's clock. */
export const LEASE_TTL = 15 * SECOND;
/** How long this process relies on it: the rest is for requests on the wire and for clocks that do not run alike. */
export const HELD_FOR = 12 * SECOND;
export const RENEW_EVERY = 5 * SECOND;

/** In ms. Each stands still or jumps where the other does not: a suspended machine, a wall clock that is set. */
export interface ClockReading {
  readonly monotonic: number;
  readonly wall: number;
}

/** By the clock that says more: the monotonic one stands still while a machine is suspended, the wall clock may be set back. */
export const elapsed = (since: ClockReading, now: ClockReading): number => Math.max(now.monotonic - since.monotonic, now.wall - since.wall);

/** `expired`: not renewed in time. `taken`: the engine says that another process holds it. `superseded`: a write was refused for its epoch. */
export type LossReason = 'expired' | 'taken' | 'superseded';

export type LeaseState =
  | { readonly kind: 'waiting' }
  /** `since`: before the call was sent that took or renewed it. */
  | { readonly kind: 'held'; readonly epoch: number; readonly since: ClockReading }
  | { readonly kind: 'lost'; readonly because: LossReason };

/** Of a call to the engine. A call without an answer decides nothing. */
export interface LeaseAnswer {
  /** Read before the call. */
  readonly sentAt: ClockReading;
  /** Undefined: another process holds it. */
  readonly epoch: number | undefined;
}

/** Once lost, it stays lost: what the process remembers may be outdated. */
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
