/** A helper of the bench in a process of its own, so that its CPU time is not the bot's: a TypeScript program that answers calls. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const REGISTER = fileURLToPath(new URL('register.mjs', import.meta.url));

export interface Child<Ready> {
  readonly pid: number;
  readonly ready: Ready;
  call<Result>(method: string, argument?: unknown): Promise<Result>;
  stop(): Promise<void>;
}

interface Answer {
  readonly ready?: unknown;
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Starts `test/bench/programs/<name>.ts`; resolves when it says that it is ready. */
export async function startChild<Ready>(name: string, args: readonly string[] = []): Promise<Child<Ready>> {
  const program = fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url));
  const child = fork(program, [...args], { execArgv: ['--import', REGISTER], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const waiting = new Map<number, { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }>();
  let calls = 0;
  const ready = await new Promise<unknown>((resolve, reject) => {
    child.on('message', (answer: Answer) => {
      if (answer.id === undefined) return resolve(answer.ready);
      const waiter = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (answer.error === undefined) waiter?.resolve(answer.result);
      else waiter?.reject(new Error(`${name}: ${answer.error}`));
    });
    child.once('exit', (code) => {
      const error = new Error(`bench: ${name} ended with ${code}`);
      for (const waiter of waiting.values()) waiter.reject(error);
      reject(error);
    });
  });
  return {
    pid: child.pid!,
    ready: ready as Ready,
    call: async <Result>(method: string, argument?: unknown) =>
      new Promise<Result>((resolve, reject) => {
        calls += 1;
        waiting.set(calls, { resolve: resolve as (result: unknown) => void, reject });
        child.send({ id: calls, method, argument });
      }),
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
