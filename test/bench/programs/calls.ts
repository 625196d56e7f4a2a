/** The far end of a child process of the bench: says that it is ready, then answers the calls of the runner one by one. */

type Handler = (argument: never) => unknown;

interface Call {
  readonly id: number;
  readonly method: string;
  readonly argument: unknown;
}

/** Sends `ready` to the runner and serves its calls until the runner hangs up. */
export function answerCalls(ready: unknown, handlers: Readonly<Record<string, Handler>>): void {
  const send = (message: unknown): void => void process.send?.(message);
  process.on('message', ({ id, method, argument }: Call) => {
    const run = async (): Promise<unknown> => {
      const handler = handlers[method];
      if (handler === undefined) throw new Error(`there is no call ${method}`);
      return handler(argument as never);
    };
    run().then(
      (result) => send({ id, result }),
      (error: unknown) => send({ id, error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  send({ ready });
}
