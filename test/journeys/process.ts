/** The bot as a process of its own, on a database in memory. */
import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { z } from 'zod';

const replies = z.object({ replies: z.array(z.object({ text: z.string() })) });

const TOKEN = 'token-of-a-bot-in-memory';
/** Of whoever runs such a bot. */
export const OPERATOR = { authorization: `Bearer ${TOKEN}` };

/** `main`: the compiled program. `more`: over what it usually begins with. */
export function startMain(main: string, stdio: StdioOptions, more: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [main], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], STORE_URL: 'memory://', HTTP_PORT: '0', LOG_LEVEL: 'debug', CONSOLE_TOKEN: TOKEN, ...more },
    stdio,
  });
  const exit = once(child, 'exit').then(([code]: unknown[]) => code);
  return {
    child,
    exit,
    /** Where it answers, as soon as it says so. Rejects with what it said when it ends before. */
    async url(from: Readable | null): Promise<string> {
      let said = '';
      for await (const chunk of from ?? []) {
        said += String(chunk);
        const url = /(http:\/\/127\.0\.0\.1:\d+)\/?("|\s)[\s\S]*\n/u.exec(said)?.[1];
        if (url !== undefined && /"event":"started"|Ctrl\+C/u.test(said)) return url;
      }
      throw new Error(`the bot ended with ${String(await exit)}:\n${said}`);
    },
    /** What it has written to standard error when it has ended by itself. */
    async written(): Promise<string> {
      let said = '';
      child.stderr?.on('data', (chunk) => (said += String(chunk)));
      await once(child, 'close');
      return said;
    },
    /** SIGTERM; resolves with the exit code. */
    async stop(): Promise<unknown> {
      child.kill('SIGTERM');
      return exit;
    },
  };
}

/** What the bot answers to a line on its console. */
export async function ask(url: string, text: string): Promise<string> {
  const answer = await fetch(`${url}/api/chats/main/messages`, {
    method: 'POST',
    headers: { ...OPERATOR, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  return replies
    .parse(await answer.json())
    .replies.map((reply) => reply.text)
    .join('\n');
}
