/** The whole bot with an API key, asked over its HTTP server as a program would. */
import { z } from 'zod';
import { openBot, type BotOptions } from '../../journeys/bot.js';

export const JSON_TYPE = { 'content-type': 'application/json' };

export interface KeyParts {
  readonly name?: string;
  readonly scope?: 'read' | 'manage';
  readonly chat?: string;
}

const madeSchema = z.object({ token: z.string(), key: z.object({ id: z.string() }) });

export async function openApiBot({ env = {}, ...options }: BotOptions = {}) {
  const bot = await openBot({ env: { PUBLIC_URL: 'https://bot.example', ...env }, ...options });
  const url = (path: string): string => `${bot.app().url}${path.replace(/^\//u, '')}`;
  const operated = async (path: string, body?: object): Promise<Response> =>
    fetch(url(`/api/operator/api/${path}`), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...bot.operator, ...JSON_TYPE },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const asKey = (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return {
      token,
      headers,
      get: async (path: string): Promise<Response> => fetch(url(path), { headers }),
      post: async (path: string, body: unknown): Promise<Response> =>
        fetch(url(path), { method: 'POST', headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(body) }),
      async ask(line: string, chat?: string): Promise<{ readonly status: number; readonly text: string; readonly body: unknown }> {
        const response = await this.post('/api/v1/ask', { line, ...(chat === undefined ? {} : { chat }) });
        const body: unknown = await response.json();
        const read = z.object({ reply: z.object({ text: z.string() }) }).safeParse(body);
        return { status: response.status, text: read.data?.reply.text ?? '', body };
      },
    };
  };
  return {
    ...bot,
    url,
    operated,
    asKey,
    async key(parts: KeyParts = {}) {
      const made = madeSchema.parse(await (await operated('keys', { scope: 'read', ...parts })).json());
      return { ...asKey(made.token), id: made.key.id };
    },
  };
}
export type ApiBot = Awaited<ReturnType<typeof openApiBot>>;
