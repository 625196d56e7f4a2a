/** Work that has to wait for something that happens once. */
export function whenReady(ready: Promise<unknown>) {
  ready.catch(() => undefined);
  return <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await ready;
      return work(...args);
    };
}

/** `done` resolves when it is signalled. */
export function signalOnce(): { readonly done: Promise<void>; signal(): void } {
  let signal = (): void => {};
  const done = new Promise<void>((resolve) => void (signal = resolve));
  return { done, signal: () => signal() };
}

/** Callbacks are called in the order of subscription. */
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
