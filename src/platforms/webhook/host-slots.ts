/** Requests to one host wait for one another. */
import type { Slot } from '../../chat/notifier.js';

export interface HostSlots {
  /** The slot must be ended. Undefined once `signal` aborts. */
  take(host: string, signal: AbortSignal): Promise<Slot | undefined>;
}

export function createHostSlots(atOnce: number): HostSlots {
  const hosts = new Map<string, { running: number; readonly waiting: Set<() => void> }>();

  const release = (host: string): void => {
    const state = hosts.get(host);
    if (state === undefined) return;
    state.running -= 1;
    const [next] = state.waiting;
    if (next !== undefined) {
      state.waiting.delete(next);
      next();
    } else if (state.running === 0) hosts.delete(host);
  };
  const slotOf = (host: string): Slot => {
    let isEnded = false;
    const end = (): void => {
      if (!isEnded) release(host);
      isEnded = true;
    };
    return { answered: end, refused: end, unused: end };
  };

  return {
    async take(host, signal) {
      if (signal.aborted) return undefined;
      const state = hosts.get(host) ?? { running: 0, waiting: new Set() };
      hosts.set(host, state);
      if (state.running < atOnce) {
        state.running += 1;
        return slotOf(host);
      }
      return new Promise((resolve) => {
        // One of its own: all chats wait with the same signal, which would have a listener for each.
        const aborted = AbortSignal.any([signal]);
        const granted = (): void => {
          aborted.removeEventListener('abort', abort);
          state.running += 1;
          resolve(slotOf(host));
        };
        const abort = (): void => {
          state.waiting.delete(granted);
          resolve(undefined);
        };
        state.waiting.add(granted);
        aborted.addEventListener('abort', abort, { once: true });
      });
    },
  };
}
