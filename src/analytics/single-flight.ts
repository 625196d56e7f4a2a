/** Concurrent calls with a key share one request. */
import { unlessAborted } from '../base/deadline.js';
import type { Instant } from '../domain/scalars.js';

export interface SharedCall {
  readonly signal: AbortSignal;
  /** Of its callers. */
  readonly by: () => Instant;
  readonly urgent: () => boolean;
}

export interface Caller {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly by: Instant;
  readonly urgent: boolean;
  /** Whose question it is. */
  readonly asker?: string | undefined;
}

export interface SingleFlight<T> {
  /** Rejects with the shared error or the caller's reason. */
  join(caller: Caller, start: (shared: SharedCall) => Promise<T>): Promise<T>;
  /** Resolves when all shared calls have ended. */
  close(reason: Error): Promise<void>;
}

interface OpenCall<T> {
  readonly control: AbortController;
  readonly answer: Promise<T>;
  by: Instant;
  urgent: boolean;
  callers: number;
}

/** `hasten`: a question joined this call. */
export function createSingleFlight<T>(hasten: (key: string, asker: string | undefined) => void): SingleFlight<T> {
  const open = new Map<string, OpenCall<T>>();

  const begin = ({ key, by, urgent }: Caller, start: (shared: SharedCall) => Promise<T>): OpenCall<T> => {
    const control = new AbortController();
    const limits = { by, urgent };
    const answer = start({ signal: control.signal, by: () => limits.by, urgent: () => limits.urgent });
    answer.catch(() => {}); // The callers get the error; without callers it is ignored.
    const openCall = Object.assign(limits, { control, answer, callers: 0 });
    open.set(key, openCall);
    return openCall;
  };

  return {
    async join(caller, start) {
      const { key, signal, by, urgent, asker } = caller;
      signal.throwIfAborted();
      const joined = open.get(key);
      const openCall = joined ?? begin(caller, start);
      openCall.callers += 1;
      if (by > openCall.by) openCall.by = by;
      if (urgent && joined !== undefined) {
        openCall.urgent = true;
        hasten(key, asker);
      }
      try {
        return await unlessAborted(signal, openCall.answer);
      } finally {
        openCall.callers -= 1;
        if (openCall.callers === 0) {
          if (open.get(key) === openCall) open.delete(key);
          openCall.control.abort(new Error('nobody waits for it any more'));
        }
      }
    },
    async close(reason) {
      const openCalls = [...open.values()];
      for (const { control } of openCalls) control.abort(reason);
      await Promise.allSettled(openCalls.map(async ({ answer }) => answer));
    },
  };
}
