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
