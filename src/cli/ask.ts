/** `npm run --silent ask -- "/premium tide"` asks the running bot over HTTP. It does not open the store. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { programLine } from '../base/program-line.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { ConfigError, type Config } from '../config.js';
import { nearUrl, printable, runIfMain, withHelp } from './terminal.js';
import { parsedUrl } from '../base/parsed-url.js';

const USAGE = `Usage: ${programLine('ask', '[--chat main] [--file list.json] [--json] [--url http://127.0.0.1:8787] "/premium tide"')}`;

/** How long the command waits for an answer, in milliseconds. No answer takes that long. */
const PATIENCE = 120_000;

const answerSchema = z.object({ replies: z.array(z.looseObject({ text: z.string() })) });
const refusalSchema = z.object({ error: z.string() });

export interface Terminal {
  readonly config: () => Pick<Config, 'http'>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Exits with 0 if the bot answered, otherwise with 1 and a sentence. */
export async function ask(argv: readonly string[], { config, out, err }: Terminal): Promise<number> {
  try {
    const { values, positionals } = parse(argv);
    const text = positionals.join(' ');
    if (text.trim() === '') throw new Refusal(USAGE);
    const { http } = config();
    const url = (values.url ?? urlOf(http)).replace(/\/+$/, '');
    const body = await post({ url, chat: values.chat, text, file: await fileAt(values.file), token: http.consoleToken });
    out(values.json ? JSON.stringify(body, null, 2) : body.replies.map((reply) => printable(reply.text)).join('\n\n'));
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof ConfigError)) throw error;
    err(error.message);
    return 1;
  }
}

class Refusal extends Error {}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        chat: { type: 'string', default: 'main' },
        file: { type: 'string' },
        json: { type: 'boolean', default: false },
        url: { type: 'string' },
      },
    });
  } catch (cause) {
    throw new Refusal(`ask: ${cause instanceof Error ? cause.message : 'the options are not understood'}\n${USAGE}`, { cause });
  }
}

function urlOf(http: Config['http']): string {
  const url = nearUrl(http);
  if (url === undefined) throw new Refusal('ask: HTTP_PORT=0 takes any free port; give the address that the bot printed, with --url');
  return url;
}

async function fileAt(path: string | undefined): Promise<File | undefined> {
  if (path === undefined) return undefined;
  try {
    return new File([await readFile(path)], basename(path));
  } catch (cause) {
    throw new Refusal(`ask: ${path} cannot be read; check the path and the permissions of the file`, { cause });
  }
}

interface QuestionRequest {
  readonly url: string;
  readonly chat: string;
  readonly text: string;
  readonly file: File | undefined;
  readonly token: string | undefined;
}

function bodyOf({ text, file }: Pick<QuestionRequest, 'text' | 'file'>): {
  readonly headers: Record<string, string>;
  readonly body: string | FormData;
} {
  if (file === undefined) return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) };
  const body = new FormData();
  body.set('text', text);
  body.set('file', file);
  return { headers: {}, body };
}

async function post({ url, chat, text, file, token }: QuestionRequest) {
  const target = `${url}/api/chats/${encodeURIComponent(chat)}/messages`;
  if (!/^https?:/.test(target) || parsedUrl(target) === undefined)
    throw new Refusal(`ask: ${url} is no address; give one such as --url http://127.0.0.1:8787`);
  const { headers, body: question } = bodyOf({ text, file });
  let response: Response;
  try {
    response = await fetch(target, {
      method: 'POST',
      headers: omitUndefined({ ...headers, authorization: token === undefined ? undefined : `Bearer ${token}` }),
      body: question,
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'TimeoutError')
      throw new Refusal(
        `ask: the bot at ${url} took the question but has not answered for two minutes; its answer will stand in the chat`,
        { cause },
      );
    throw new Refusal(`ask: no bot is running at ${url}; start it with: ${programLine('start')}`, { cause });
  }
  const body: unknown = await response.json().catch(() => undefined);
  const answer = answerSchema.safeParse(body);
  if (response.ok && answer.success) return answer.data;
  const refusal = refusalSchema.safeParse(body);
  throw new Refusal(
    refusal.success
      ? `ask: ${printable(refusal.data.error)}`
      : `ask: what answers at ${url} is not Navwatch; check HTTP_PORT, or give --url`,
  );
}

await runIfMain(import.meta.url, withHelp(USAGE, ask));
