/** Signal that aborts at a deadline (clock port) or with other signals. */
import type { Clock } from '../base/clock.js';
import type { Instant } from '../domain/scalars.js';

export interface Deadline {
  readonly signal: AbortSignal;
  cancel(): void;
}

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly by: Instant;
  readonly late: () => Error;
  readonly signals: readonly AbortSignal[];
}

/** Without a reason each cancellation would make an exception with a stack trace, which costs more than the rest. */
const CANCELLED = new Error('cancelled');

export function deadline({ clock, by, late, signals }: DeadlineOptions): Deadline {
  const control = new AbortController();
  const done = new AbortController();
  clock.sleep(by - clock.now(), done.signal).then(
    () => control.abort(late()),
    () => {}, // Cancelled in time.
  );
  return { signal: AbortSignal.any([control.signal, ...signals]), cancel: () => done.abort(CANCELLED) };
}
