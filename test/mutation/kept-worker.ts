/** Keeps the worker thread between the runs of two mutants. The project's modules are loaded again, so that no cache outlives its mutant. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ThreadsPoolWorker, type PoolOptions, type PoolWorker, type Vite, type WorkerRequest } from 'vitest/node';

type Listener = (argument: unknown) => void;

/** A mutant may leave timers behind; in runs. */
const MAX_RUNS = 200;

let thread: ThreadsPoolWorker | undefined;
let runs = 0;

const sourcesIn = (root: string): readonly string[] =>
  ['src', 'commands', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((file) =>
      file.endsWith('.ts') ? [join(root, folder, file)] : [],
    ),
  );

const NAME = 'kept';

class KeptWorker implements PoolWorker {
  readonly name = NAME;
  readonly #listeners: (readonly [event: string, listener: Listener])[] = [];
  readonly #options: PoolOptions;
  readonly #sources: readonly string[];
  #isKept = false;
  #config: Extract<WorkerRequest, { type: 'start' }>['context']['config'] | undefined;

  constructor(options: PoolOptions, sources: readonly string[]) {
    this.#options = options;
    this.#sources = sources;
  }

  on = (event: string, listener: Listener): void => {
    this.#listeners.push([event, listener]);
    thread?.on(event, listener);
  };

  off = (event: string, listener: Listener): void => {
    thread?.off(event, listener);
  };

  async start(): Promise<void> {
    this.#isKept = thread !== undefined;
    thread ??= new ThreadsPoolWorker(this.#options);
    if (!this.#isKept) await thread.start();
  }

  send(message: WorkerRequest): void {
    // The thread has been started, and is not stopped: only the configuration, which names the tests, is new.
    if (message.type === 'start') this.#config = message.context.config;
    if (message.type === 'start' && this.#isKept) return this.#answer('started');
    if (message.type === 'stop') return this.#answer('stopped');
    if (message.type !== 'run') return thread?.send(message);
    runs += 1;
    thread?.send({ ...message, context: { ...message.context, ...{ config: this.#config }, invalidates: [...this.#sources] } });
  }

  #answer(type: 'started' | 'stopped'): void {
    for (const [event, listener] of this.#listeners) if (event === 'message') listener({ type, __vitest_worker_response__: true });
  }

  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) thread?.off(event, listener);
    if (runs < MAX_RUNS) return;
    await thread?.stop();
    thread = undefined;
    runs = 0;
  }

  deserialize = (data: unknown): unknown => data;
}

/** Stryker chooses threads on its command line, which wins over `pool` in the configuration. */
export const keptWorker = (): Vite.Plugin => ({
  name: 'kept-worker',
  configureVitest({ project }) {
    const sources = sourcesIn(project.config.root);
    project.config.pool = NAME;
    project.config.poolRunner = { name: NAME, createPoolWorker: (options) => new KeptWorker(options, sources) };
  },
});
