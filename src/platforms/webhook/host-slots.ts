/** Requests to one host wait for one another. */
import type { Slot } from '../../chat/notifier.js';

export interface HostSlots {
  /**
   * The slot must be ended. Undefined once `signal` aborts. Those that are `failing` when a slot is free have half of the slots at most,
   * so that others do not wait for the end of each request that is never answered.
   */
  take(host: string, who: { readonly signal: AbortSignal; readonly isFailing: () => boolean }): Promise<Slot | undefined>;
}

interface Waiting {
  readonly isFailing: () => boolean;
  readonly granted: (isFailing: boolean) => void;
}

interface Host {
  running: number;
  /** Of those that run: they were failing when they began. */
  failing: number;
  readonly waiting: Set<Waiting>;
}

export function createHostSlots(atOnce: number): HostSlots {
  const hosts = new Map<string, Host>();
  const mostFailing = Math.max(1, Math.floor(atOnce / 2));
  const mayBegin = ({ running, failing }: Host, isFailing: boolean): boolean => running < atOnce && (!isFailing || failing < mostFailing);

  const begin = (name: string, host: Host, isFailing: boolean): Slot => {
    host.running += 1;
    if (isFailing) host.failing += 1;
    let isEnded = false;
    const end = (): void => {
      if (isEnded) return;
      isEnded = true;
      host.running -= 1;
      if (isFailing) host.failing -= 1;
      grant(host);
      if (host.running === 0) hosts.delete(name);
    };
    return { answered: end, refused: end, unused: end };
  };
  const grant = (host: Host): void => {
    for (const one of host.waiting) {
      if (host.running >= atOnce) return;
      const isFailing = one.isFailing();
      if (!mayBegin(host, isFailing)) continue;
      host.waiting.delete(one);
      one.granted(isFailing);
    }
  };

  return {
    async take(name, { signal, isFailing }) {
      if (signal.aborted) return undefined;
      const host = hosts.get(name) ?? { running: 0, failing: 0, waiting: new Set() };
      hosts.set(name, host);
      const isFailingNow = isFailing();
      if (mayBegin(host, isFailingNow)) return begin(name, host, isFailingNow);
      return new Promise((resolve) => {
        // One of its own: all chats wait with the same signal, which would have a listener for each.
        const aborted = AbortSignal.any([signal]);
        const one: Waiting = {
          isFailing,
          granted: (isFailingThen) => {
            aborted.removeEventListener('abort', abort);
            resolve(begin(name, host, isFailingThen));
          },
        };
        const abort = (): void => {
          host.waiting.delete(one);
          resolve(undefined);
        };
        host.waiting.add(one);
        aborted.addEventListener('abort', abort, { once: true });
      });
    },
  };
}
