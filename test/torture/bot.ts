/** The bot as its operator runs it: a process of its own, on a database of its own, that can be killed and started again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

const messagesSchema = z.object({
  messages: z.array(z.object({ id: z.int(), kind: z.enum(['question', 'reply', 'alert']), text: z.string() })),
});
const panelSchema = z.object({ deliveries: z.object({ waiting: z.int() }) });
const healthSchema = z.object({ ok: z.boolean(), role: z.string().optional() });
const repliesSchema = z.object({ replies: z.array(z.object({ text: z.string() })) });

export interface Bot {
  /** Of its page. */
  readonly url: string;
  /** Milliseconds from the start of the process until it said it runs. */
  readonly startedIn: number;
  ask(line: string, chat: string): Promise<string>;
  /** A write of the operator, as its page makes it. */
  operate(path: string, body: unknown): Promise<unknown>;
  /** The texts of all alerts in the chat. */
  alerts(chat: string): Promise<readonly string[]>;
  /** How many alerts wait, over all chats. */
  waiting(): Promise<number>;
  /** Whether it is the active process: not one that stands by, ended or is paused. */
  isActive(): Promise<boolean>;
  /** SIGSTOP, and SIGCONT. */
  pause(): void;
  resume(): void;
  /** Resolves with its exit code, or null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the built bot and resolves when it says it runs. Rejects with what it said when it ends before that. */
export async function startBot(folder: string, env: Readonly<Record<string, string>>): Promise<Bot> {
  const begun = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const over = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const base = await pageOf(child);
  const startedIn = performance.now() - begun;
  const messages = (chat: string): string => `${base}api/chats/${chat}/messages`;
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
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      return (await fetch(`${base}api/operator/${path}`, init)).json();
    },
    async ask(line, chat) {
      const answer = await fetch(messages(chat), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: line }),
      });
      return repliesSchema
        .parse(await answer.json())
        .replies.map(({ text }) => text)
        .join('\n');
    },
    async alerts(chat) {
      const answer = await fetch(`${messages(chat)}?after=0`);
      return messagesSchema.parse(await answer.json()).messages.flatMap(({ kind, text }) => (kind === 'alert' ? [text] : []));
    },
    waiting: async () => panelSchema.parse(await (await fetch(`${base}api/panel`)).json()).deliveries.waiting,
    async isActive() {
      try {
        const answer = await fetch(`${base}healthz`, { signal: AbortSignal.timeout(1_000) });
        const { ok, role } = healthSchema.parse(await answer.json());
        return ok && role !== 'standby';
      } catch {
        return false;
      }
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    ended: over,
    kill: async () => void (await ended('SIGKILL')),
    stop: async () => ended('SIGTERM'),
  };
}

async function pageOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const page = /page\s+(http\S+)/.exec(said)?.[1];
      if (page !== undefined && said.includes('Ctrl+C')) resolve(page);
    });
    child.once('exit', (code) => reject(new Error(`the bot ended with ${code} before it ran:\n${said.slice(-2_000)}`)));
  });
}
