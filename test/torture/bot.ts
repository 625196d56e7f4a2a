/** The bot as its operator runs it: a process of its own, on a database of its own, that can be killed and started again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readToken } from '../../src/config/console-token.js';
import { dataFolder, DEFAULT_STORE_URL } from '../../src/store/open.js';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

const messagesSchema = z.object({
  messages: z.array(z.object({ id: z.int(), kind: z.enum(['question', 'reply', 'alert']), text: z.string() })),
});
const panelSchema = z.object({ deliveries: z.object({ waiting: z.int() }) });
const healthSchema = z.object({
  ok: z.boolean(),
  role: z.string().optional(),
  problem: z.string().optional(),
  droppedLogLines: z.int().optional(),
});
const repliesSchema = z.object({ replies: z.array(z.object({ text: z.string() })) });

export interface Bot {
  /** Of its page. */
  readonly url: string;
  /** Milliseconds from the start of the process until it said it runs. */
  readonly startedIn: number;
  ask(line: string, chat: string): Promise<string>;
  /** A write of the operator, as its page makes it. */
  operate(path: string, body: unknown): Promise<unknown>;
  /** The latest alerts in the chat. */
  alerts(chat: string): Promise<readonly { readonly id: number; readonly text: string }[]>;
  /** How many alerts wait, over all chats. */
  waiting(): Promise<number>;
  /** Whether it is the active process: not one that stands by, ended or is paused. */
  isActive(): Promise<boolean>;
  /** Null while it runs, or where a signal ended it. */
  exitCode(): number | null;
  health(): Promise<z.infer<typeof healthSchema>>;
  /** Its output, the latest part. */
  said(): string;
  /** SIGSTOP, and SIGCONT. */
  pause(): void;
  resume(): void;
  /** Its wall clock jumps by what it was started with, of `withClock`. */
  jump(): void;
  /** Resolves with its exit code, or null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface BotOptions {
  /** A file descriptor for both streams, whose text is not read, with the page at HTTP_PORT. */
  readonly log?: number;
}

/** Settings of a bot whose wall clock is ahead by so many ms, from its start or from `jump` on. Its monotonic clock is that of the machine. */
export function withClock(ahead: number, from: 'start' | 'jump'): Readonly<Record<string, string>> {
  const code = `const now = Date.now; let ahead = ${from === 'start' ? ahead : 0};
    Date.now = () => now() + ahead;
    process.on('SIGUSR2', () => { ahead = ${ahead}; });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** Ended before it ran. */
export class NotStartedError extends Error {
  override readonly name = 'NotStartedError';
  constructor(
    readonly code: number | null,
    readonly said: string,
  ) {
    super(`the bot ended with ${code} before it ran:\n${said.slice(-2_000)}`);
  }
}

const MAX_SAID = 200_000;

/** Starts the built bot and resolves when it says it runs. Rejects with a `NotStartedError`. */
export async function startBot(folder: string, env: Readonly<Record<string, string>>, { log }: BotOptions = {}): Promise<Bot> {
  const begun = performance.now();
  const stream = log ?? 'pipe';
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', stream, stream],
  });
  let said = '';
  for (const from of [child.stdout, child.stderr]) from?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-MAX_SAID)));
  const over = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const base = await (log === undefined ? pageOf(child, () => said) : pageAt(`http://127.0.0.1:${env['HTTP_PORT']}/`, child));
  const { token } = readToken(resolve(folder, dataFolder(env['STORE_URL'] ?? DEFAULT_STORE_URL) ?? '', 'console-token'));
  const operator = { authorization: `Bearer ${token}` };
  /** Each call has a connection of its own: one that is kept may be closed by the bot at the same moment. */
  const get = async (path: string, init: RequestInit = {}): Promise<Response> => {
    try {
      return await fetch(`${base}${path}`, { ...init, headers: { ...operator, 'content-type': 'application/json', connection: 'close' } });
    } catch (cause) {
      throw new Error(`no answer from the bot (exit code ${child.exitCode}):\n${said.slice(-2_000)}`, { cause });
    }
  };
  const startedIn = performance.now() - begun;
  const messages = (chat: string): string => `api/chats/${chat}/messages`;
  const ended = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
    return child.exitCode;
  };
  return {
    url: base,
    startedIn,
    async operate(path, body) {
      return (await get(`api/operator/${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
    },
    async ask(line, chat) {
      const answer = await get(messages(chat), { method: 'POST', body: JSON.stringify({ text: line }) });
      return repliesSchema
        .parse(await answer.json())
        .replies.map(({ text }) => text)
        .join('\n');
    },
    async alerts(chat) {
      const answer = await get(`${messages(chat)}?after=0`);
      return messagesSchema.parse(await answer.json()).messages.flatMap(({ id, kind, text }) => (kind === 'alert' ? [{ id, text }] : []));
    },
    waiting: async () => panelSchema.parse(await (await get('api/panel')).json()).deliveries.waiting,
    async isActive() {
      try {
        const answer = await get('healthz', { signal: AbortSignal.timeout(1_000) });
        const { ok, role } = healthSchema.parse(await answer.json());
        return ok && role !== 'standby';
      } catch {
        return false;
      }
    },
    exitCode: () => child.exitCode,
    health: async () => healthSchema.parse(await (await get('healthz')).json()),
    said: () => said,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    jump: () => void child.kill('SIGUSR2'),
    ended: over,
    kill: async () => void (await ended('SIGKILL')),
    stop: async () => ended('SIGTERM'),
  };
}

async function pageOf(child: ChildProcess, said: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const page = /page\s+(http\S+)/.exec(said())?.[1];
      if (page !== undefined && said().includes('Ctrl+C')) resolve(page);
    });
    child.once('close', (code) => reject(new NotStartedError(code, said())));
  });
}

const START_PATIENCE = 60_000;

/** Once it answers there. */
async function pageAt(url: string, child: ChildProcess): Promise<string> {
  const end = performance.now() + START_PATIENCE;
  while (child.exitCode === null && performance.now() < end) {
    const isUp = await fetch(`${url}healthz`).then(
      () => true,
      () => false,
    );
    if (isUp) return url;
    await wait(100);
  }
  throw new NotStartedError(child.exitCode, '');
}
