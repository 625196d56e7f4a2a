/** Ends the wait for work at a deadline or an abort, even if the work ignores the signal. Every outgoing request runs in `withDeadline`. */
import { setMaxListeners } from 'node:events';
import type { Clock } from './clock.js';

/** The work did not end in time. */
export class LateError extends Error {
  override readonly name = 'LateError';
}

/** An `AbortSignal`, perhaps of another implementation. */
export type Stop = { readonly aborted: boolean; readonly reason?: unknown } & Record<
  'addEventListener' | 'removeEventListener',
  (type: 'abort', listener: () => void) => void
>;

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly milliseconds: number;
  /** Signals that end the work early, each with its own reason. */
  readonly stops?: readonly Stop[];
  /** Makes the error for late work. By default a `LateError`. */
  readonly late?: () => Error;
}

export interface Deadline {
  readonly signal: AbortSignal;
  /** Call when the work has ended. Aborts the signal, so that nothing that the work opened stays open. */
  end(): void;
}

/** Shared, because creating an error for each call is slower than its timer. */
const ENDED = new Error('ended');

/** Makes a signal for work that surely ends after an abort. A request may not, so it needs `withDeadline`. */
export function deadline({ clock, milliseconds, stops = [], late }: DeadlineOptions): Deadline {
  const control = new AbortController();
  const ended = new AbortController();
  // `AbortSignal.any` is not used: on Node 20 a long-lived signal leaks every signal that was ever joined to it.
  const listeners = stops.map((stop) => ({ stop, leave: (): void => control.abort(reasonOf(stop)) }));
  for (const { stop, leave } of listeners) {
    if (stop.aborted) leave();
    // Many requests listen to one signal at once, so Node must not warn of a leak.
    if (stop instanceof AbortSignal) setMaxListeners(0, stop);
    stop.addEventListener('abort', leave);
  }
  clock.sleep(milliseconds, ended.signal).then(
    () => control.abort(late?.() ?? new LateError(`not done within ${milliseconds} ms`)),
    () => undefined,
  );
  return {
    signal: control.signal,
    end() {
      for (const { stop, leave } of listeners) stop.removeEventListener('abort', leave);
      ended.abort(ENDED);
      control.abort(ENDED);
    },
  };
}

/**
 * Settles when the work does, at the deadline, or when it is stopped. A library may never settle a request with an
 * unexpected response, so the signal is not only passed on but also raced against the work.
 */
export async function withDeadline<T>(options: DeadlineOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, end } = deadline(options);
  try {
    signal.throwIfAborted();
    return await unlessAborted(signal, work(signal));
  } finally {
    end();
  }
}

/** Resolves with the result of the work, or with `late` (by default undefined) at the deadline. The work then continues and its outcome is ignored. */
export async function within<T>(clock: Clock, milliseconds: number, work: Promise<T>): Promise<T | undefined>;
export async function within<T, L>(clock: Clock, milliseconds: number, work: Promise<T>, late: L): Promise<T | L>;
export async function within(clock: Clock, milliseconds: number, work: Promise<unknown>, late?: unknown): Promise<unknown> {
  const ended = new AbortController();
  const end = (): unknown => late;
  try {
    return await Promise.race([work, clock.sleep(milliseconds, ended.signal).then(end, end)]);
  } finally {
    ended.abort(ENDED);
  }
}

/** Rejects with the signal's reason when it aborts. The work then continues and its outcome is ignored. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(reasonOf(signal));
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

const reasonOf = ({ reason }: Stop): Error => (reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
