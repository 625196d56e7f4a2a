/** Waiting for things to happen, without sleeping: whoever waits looks now, and again after each thing that happens. */

export interface Bus {
  /** Says that something happened. */
  happened(): void;
  waitFor<T>(look: () => T | undefined | false | null): Promise<T>;
  /** Fails what still waits. */
  close(): void;
}

interface Waiter {
  readonly look: () => boolean;
  readonly fail: (why: Error) => void;
}

export function openBus(): Bus {
  const waiters = new Set<Waiter>();
  let closed = false;
  let looking = false;
  let more = false;
  return {
    happened() {
      more = true;
      // A look may itself make something happen: it is then looked again afterwards, not within.
      if (looking) return;
      looking = true;
      while (more) {
        more = false;
        for (const waiter of waiters) if (waiter.look()) waiters.delete(waiter);
      }
      looking = false;
    },
    waitFor: async (look) =>
      new Promise((resolve, reject) => {
        const waiter: Waiter = {
          look: () => {
            try {
              const found = look();
              if (found === undefined || found === false || found === null) return false;
              resolve(found);
            } catch (cause) {
              reject(cause instanceof Error ? cause : new Error('The look failed.', { cause }));
            }
            return true;
          },
          fail: reject,
        };
        if (waiter.look()) return;
        if (closed) reject(new Error('The Discord stand-in is closed; what the test waits for cannot happen any more.'));
        else waiters.add(waiter);
      }),
    close() {
      closed = true;
      for (const { fail } of waiters) fail(new Error('The Discord stand-in was closed while the test still waited for something.'));
      waiters.clear();
    },
  };
}
