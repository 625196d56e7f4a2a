/** A signal that fires when a moment comes or when any of other signals does. Runs on the clock's port. */
import type { Clock } from '../base/clock.js';
import type { Instant } from '../domain/scalars.js';

export interface Deadline {
  readonly signal: AbortSignal;
  /** Takes the deadline off; must be called when the work ends, else its timer stays. */
  cancel(): void;
}

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly by: Instant;
  /** The reason to abort with when the moment has come. */
  readonly late: () => Error;
  readonly signals: readonly AbortSignal[];
}

export function deadline({ clock, by, late, signals }: DeadlineOptions): Deadline {
  const control = new AbortController();
  const done = new AbortController();
  clock.sleep(by - clock.now(), done.signal).then(
    () => control.abort(late()),
    () => {}, // Taken off in time.
  );
  return { signal: AbortSignal.any([control.signal, ...signals]), cancel: () => done.abort() };
}
