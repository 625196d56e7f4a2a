/** `npm run --silent mcp` speaks MCP over standard input and output, for hosts that start a program. It passes each message to the running bot. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { programLine } from '../base/program-line.js';
import { ConfigError, type Config } from '../config.js';
import { nearUrl, printable, runIfMain } from './terminal.js';

interface McpTerminal {
  readonly config: () => Pick<Config, 'http'>;
  readonly err: (text: string) => void;
}

interface McpSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** The key is not a setting of the bot, so it is read here and not in `config.ts`. */
const KEY = 'NAVWATCH_KEY';
const URL_OF_BOT = 'NAVWATCH_URL';
const KEY_FORM = /^[\w-]{1,200}$/u;

/** Runs until the host closes the input. Exits with 1 if the key or the URL is missing. */
export async function mcp(
  _argv: readonly string[],
  { config, err }: McpTerminal,
  { env, stdin, stdout }: McpSurroundings = process,
): Promise<0 | 1> {
  let url: string | undefined;
  try {
    url = (env[URL_OF_BOT] ?? nearUrl(config().http))?.replace(/\/+$/u, '');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    err(error.message);
    return 1;
  }
  const key = env[KEY]?.trim() ?? '';
  if (key === '') err(`mcp: set ${KEY} to an API key of the bot; make one with: ${programLine('key', 'create')}`);
  // The value is not printed, because most of it may be the secret.
  else if (!KEY_FORM.test(key)) err(`mcp: ${KEY} is no API key: copy the one word that this printed: ${programLine('key', 'create')}`);
  else if (url === undefined || !/^https?:/u.test(url) || !URL.canParse(url))
    err(`mcp: set ${URL_OF_BOT} to the address of the bot, such as http://127.0.0.1:8787`);
  else {
    await passMessages({ url: new URL(`${url}/mcp`), key, err, stdin, stdout });
    return 0;
  }
  return 1;
}

async function passMessages({
  url,
  key,
  err,
  stdin,
  stdout,
}: { readonly url: URL; readonly key: string; readonly err: (text: string) => void } & Omit<McpSurroundings, 'env'>): Promise<void> {
  const host = new StdioServerTransport(stdin, stdout);
  const bot = new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } });
  const ended = new Promise<void>((resolve) => {
    host.onclose = resolve;
    stdin.once('end', resolve);
    stdin.once('close', resolve);
  });
  const underWay = new Set<Promise<void>>();
  bot.onmessage = (message) => void host.send(message);
  host.onmessage = (message) => {
    const passing = bot.send(message).catch(async (cause: unknown) => failed(message, cause));
    underWay.add(passing);
    void passing.finally(() => underWay.delete(passing));
  };
  /** Answers a failed request with an error, because the host waits for an answer to each. */
  async function failed(message: JSONRPCMessage, cause: unknown): Promise<void> {
    const says = refusalText(cause, url.origin);
    err(`mcp: ${says}`);
    if ('id' in message && 'method' in message)
      await host.send({ jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: says } });
  }
  await bot.start();
  await host.start();
  await ended;
  await Promise.allSettled(underWay);
  await bot.close();
  await host.close();
}

const problemSchema = z.object({ detail: z.string() });

/** Describes a failure, with the bot's reason if it gave one. The transport appends the body of a refusal to its message. */
function refusalText(cause: unknown, origin: string): string {
  const message = cause instanceof Error ? cause.message : 'unknown error';
  const status = cause instanceof Error && 'code' in cause ? Number(cause.code) : Number.NaN;
  if (status === 401) return `The bot at ${origin} refuses ${KEY}. Make one with: ${programLine('key', 'create --name <name>')}`;
  if (!(status >= 300)) return `The bot at ${origin} did not answer: ${shortly(message)}`;
  const { detail } = problemSchema.safeParse(jsonOf(message.slice(message.indexOf('{')))).data ?? {};
  if (detail !== undefined) return `The bot at ${origin} refused the message: ${shortly(detail)}`;
  return `What answers at ${origin} is not Navwatch (HTTP ${status}). Check ${URL_OF_BOT}.`;
}

const shortly = (text: string): string => printable(text).slice(0, 300);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

await runIfMain(import.meta.url, mcp);
