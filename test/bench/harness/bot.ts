/** The built bot as a process of its own, measured from the outside. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { memory } from './proc.js';

/** `BENCH_BUILD` names the `dist` of another version, so that two can be compared in turn. */
const MAIN = join(process.env['BENCH_BUILD'] ?? fileURLToPath(new URL('../../../dist', import.meta.url)), 'src', 'main.js');
const PACKAGE = fileURLToPath(new URL('../../../package.json', import.meta.url));
const COUNTER = new URL('../programs/writes.mjs', import.meta.url).href;

export interface Writes {
  /** False where the bot writes in a way that is not counted. */
  readonly known: boolean;
  readonly documents: number;
  readonly bytes: number;
  readonly commits: number;
  /** By the first part of a document's key. */
  readonly by: Readonly<Record<string, { readonly documents: number; readonly bytes: number }>>;
}

export interface Usage {
  /** Seconds, user and system, all threads. */
  readonly cpu: number;
  readonly writes: Writes;
}

export interface Bot {
  readonly pid: number;
  /** When the process was started, by `performance.now()`. */
  readonly begun: number;
  usage(): Promise<Usage>;
  memory(): ReturnType<typeof memory>;
  /** Resolves once the bot has done little for two seconds, with true; with false when it has not in so many milliseconds. */
  calm(patience?: number): Promise<boolean>;
  /** SIGTERM; resolves with the exit code and the seconds that it took. */
  stop(): Promise<{ readonly code: number | null; readonly seconds: number }>;
  /** SIGKILL; with flags of `BENCH_NODE_FLAGS` SIGTERM, because Node writes a profile when the program ends by itself. */
  kill(): Promise<void>;
}

/** The checks that are due at a start are spread over two seconds. */
const SETTLES_AFTER = 6_000;
/** Of a core. On a busy machine it uses little although it works, so it must also write few documents. */
const CALM = 0.2;
const FEW = 10;
const QUIET_SECONDS = 2;
const PATIENCE = 20_000;

/** The flags of Node in `npm start`, so that what people start is measured, and those of a run that profiles the bot. */
const { scripts } = z.object({ scripts: z.object({ start: z.string() }) }).parse(JSON.parse(readFileSync(PACKAGE, 'utf8')));
const flags = (): readonly string[] =>
  [scripts.start, process.env['BENCH_NODE_FLAGS'] ?? ''].flatMap((text) => text.split(' ').filter((part) => part.startsWith('--')));

/** Starts the bot in a folder of its own; resolves when it says that it runs. `ready: false` resolves at once. */
export async function startBot(folder: string, env: Readonly<Record<string, string | undefined>>, { ready = true } = {}): Promise<Bot> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...flags(), '--import', COUNTER, MAIN], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HTTP_PORT: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = once(child, 'exit');
  const running = untilRunning(child);
  if (ready) await running;
  else running.catch(() => undefined);
  const usage = usageOf(child);
  const pid = child.pid!;
  const end = async (signal: NodeJS.Signals) => {
    const asked = performance.now();
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await exited;
    }
    return { code: child.exitCode, seconds: (performance.now() - asked) / 1_000 };
  };
  return {
    pid,
    begun,
    usage,
    memory: async () => memory(pid),
    async calm(patience = PATIENCE) {
      await wait(Math.max(0, begun + SETTLES_AFTER - performance.now()));
      const until = performance.now() + patience;
      for (let quiet = 0; quiet < QUIET_SECONDS && performance.now() < until;) {
        const before = await usage();
        await wait(1_000);
        const after = await usage();
        const isQuiet = after.cpu - before.cpu < CALM && after.writes.documents - before.writes.documents < FEW;
        quiet = isQuiet ? quiet + 1 : 0;
        if (quiet === QUIET_SECONDS) return true;
      }
      return false;
    },
    stop: async () => end('SIGTERM'),
    kill: async () => void (await end(process.env['BENCH_NODE_FLAGS'] === undefined ? 'SIGKILL' : 'SIGTERM')),
  };
}

function usageOf(child: ChildProcess): () => Promise<Usage> {
  const waiting = new Map<number, (usage: Usage) => void>();
  let asked = 0;
  child.on('message', ({ id, ...usage }: Usage & { readonly id: number }) => {
    waiting.get(id)?.(usage);
    waiting.delete(id);
  });
  return async () =>
    new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, resolve);
      child.send(asked, (error) => {
        if (error !== null) reject(error);
      });
    });
}

async function untilRunning(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2_000)));
    child.stdout?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-2_000);
      if (said.includes('Ctrl+C')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`bench: the bot ended with ${code} before it ran:\n${said}`)));
  });
}
