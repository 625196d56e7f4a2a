/** Lets concurrent calls with the same key share one request. */
import { unlessAborted } from '../base/deadline.js';
import type { Instant } from '../domain/scalars.js';

export interface SharedCall {
  readonly signal: AbortSignal;
  /** The latest deadline of the callers. */
  readonly by: () => Instant;
  readonly urgent: () => boolean;
}

export interface Caller {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly by: Instant;
  readonly urgent: boolean;
  /** The person who asked. */
  readonly asker?: string | undefined;
}

interface OpenCall<T> {
  readonly control: AbortController;
  readonly answer: Promise<T>;
  by: Instant;
  urgent: boolean;
  callers: number;
}

export class SingleFlight<T> {
  readonly #open = new Map<string, OpenCall<T>>();
  readonly #hasten: (key: string, asker: string | undefined) => void;

  /** `hasten` is called when a question joins a call. */
  constructor(hasten: (key: string, asker: string | undefined) => void) {
    this.#hasten = hasten;
  }

  /** Joins or starts a call. Rejects with the shared error or the caller's reason. */
  async join(caller: Caller, start: (shared: SharedCall) => Promise<T>): Promise<T> {
    const { key, signal, by, urgent, asker } = caller;
    signal.throwIfAborted();
    const joined = this.#open.get(key);
    const openCall = joined ?? this.#begin(caller, start);
    openCall.callers += 1;
    if (by > openCall.by) openCall.by = by;
    if (urgent && joined !== undefined) {
      openCall.urgent = true;
      this.#hasten(key, asker);
    }
    try {
      return await unlessAborted(signal, openCall.answer);
    } finally {
      openCall.callers -= 1;
      if (openCall.callers === 0) {
        if (this.#open.get(key) === openCall) this.#open.delete(key);
        openCall.control.abort(new Error('nobody waits for it any more'));
      }
    }
  }

  /** Aborts all shared calls and resolves when they have ended. */
  async close(reason: Error): Promise<void> {
    const openCalls = [...this.#open.values()];
    for (const { control } of openCalls) control.abort(reason);
    await Promise.allSettled(openCalls.map(async ({ answer }) => answer));
  }

  #begin({ key, by, urgent }: Caller, start: (shared: SharedCall) => Promise<T>): OpenCall<T> {
    const control = new AbortController();
    const limits = { by, urgent };
    const answer = start({ signal: control.signal, by: () => limits.by, urgent: () => limits.urgent });
    answer.catch(() => {}); // The callers get the error; without callers it is ignored.
    const openCall = Object.assign(limits, { control, answer, callers: 0 });
    this.#open.set(key, openCall);
    return openCall;
  }
}
