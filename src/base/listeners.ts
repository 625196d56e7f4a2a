/** List of callbacks, called in the order of subscription. */
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
