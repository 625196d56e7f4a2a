/** Waiting for what happens in the stand-in: asked again after every change, never after a time. */
export interface Watchers {
  /** Something changed; whoever waits is asked soon, when it is whole. */
  changed(): void;
  until<T>(look: () => T | undefined | null | false): Promise<T>;
  /** Rejects everyone who waits, and who comes later. */
  close(reason: () => Error): void;
}

export function createWatchers(): Watchers {
  const watchers = new Set<{ readonly ask: () => void; readonly reject: (cause: Error) => void }>();
  let asked = false;
  let closed: (() => Error) | undefined;
  const askAll = () => {
    asked = false;
    for (const { ask } of watchers) ask();
  };
  return {
    changed() {
      if (asked) return;
      asked = true;
      queueMicrotask(askAll);
    },
    until: <T>(look: () => T | undefined | null | false) =>
      new Promise<T>((resolve, reject) => {
        const watcher = {
          reject,
          ask() {
            try {
              const found = look();
              if (found === undefined || found === null || found === false) return;
              resolve(found);
            } catch (cause) {
              reject(cause instanceof Error ? cause : new Error(String(cause)));
            }
            watchers.delete(watcher);
          },
        };
        watchers.add(watcher);
        watcher.ask();
        if (closed && watchers.delete(watcher)) reject(closed());
      }),
    close(reason) {
      closed = reason;
      for (const { reject } of watchers) reject(reason());
      watchers.clear();
    },
  };
}
