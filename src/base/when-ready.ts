/** Lets work wait for an event that happens once. */
export function whenReady(ready: Promise<unknown>) {
  ready.catch(() => undefined);
  return <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await ready;
      return work(...args);
    };
}

/** Makes a signal; `done` resolves when it is given. */
export function signalOnce(): { readonly done: Promise<void>; signal(): void } {
  let signal = (): void => {};
  const done = new Promise<void>((resolve) => void (signal = resolve));
  return { done, signal: () => signal() };
}

/** A list of callbacks, which are called in the order of subscription. */
export interface Listeners<T> {
  add(listener: (what: T) => void): void;
  announce(what: T): void;
}

export function createListeners<T>(): Listeners<T> {
  const listeners: ((what: T) => void)[] = [];
  return {
    add: (listener) => void listeners.push(listener),
    announce(what) {
      for (const listener of listeners) listener(what);
    },
  };
}
