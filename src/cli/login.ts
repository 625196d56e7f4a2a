/** `npm run --silent login` prints a link that logs a browser in as the operator. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { programLine } from '../base/program-line.js';
import { ConfigError, type Config } from '../config.js';
import { nearUrl, printable, runIfMain, withHelp } from './terminal.js';

const USAGE = `Usage: ${programLine('login', '[--url http://127.0.0.1:8787]')}`;
const PATIENCE = 10_000;

const codeSchema = z.object({ code: z.string().regex(/^[\w-]+$/u) });
const refusalSchema = z.object({ error: z.string() });

interface LoginTerminal {
  readonly config: () => Pick<Config, 'http' | 'noToken'>;
  /** Gets only the link, so that a script can open it. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Exits with 0 if there is a link, otherwise with 1 and a sentence. */
export async function login(argv: readonly string[], { config, out, err }: LoginTerminal): Promise<0 | 1> {
  try {
    const { http, noToken } = config();
    const url = (urlIn(argv) ?? nearUrl(http))?.replace(/\/+$/u, '');
    if (url === undefined) throw new Refusal('HTTP_PORT=0 takes any free port; give the address that the bot printed, with --url');
    out(`${url}/login#${await codeFrom(url, http.consoleToken, noToken)}`);
    err('Open this link within ten minutes. It works once.');
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof ConfigError)) throw error;
    err(error instanceof Refusal ? `login: ${printable(error.message)}` : error.message);
    return 1;
  }
}

class Refusal extends Error {}

function urlIn(argv: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...argv], options: { url: { type: 'string' } } }).values.url;
  } catch (cause) {
    throw new Refusal(`${cause instanceof Error ? cause.message : 'the options are not understood'}\n${USAGE}`, { cause });
  }
}

async function codeFrom(url: string, token: string | undefined, noToken = 'the bot makes its token when it starts'): Promise<string> {
  if (token === undefined) throw new Refusal(`there is no token: ${noToken}`);
  if (!URL.canParse(url) || !/^https?:/u.test(url)) throw new Refusal(`${url} is no address; give one such as --url http://127.0.0.1:8787`);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init: RequestInit = { method: 'POST', headers, body: '{}', redirect: 'error', signal: AbortSignal.timeout(PATIENCE) };
  const response = await fetch(`${url}/api/operator/code`, init).catch((cause: unknown) => {
    throw new Refusal(`no bot answers at ${url}; start it with: ${programLine('start')}`, { cause });
  });
  const body: unknown = await response.json().catch(() => undefined);
  const { code } = codeSchema.safeParse(body).data ?? {};
  if (response.ok && code !== undefined) return code;
  if (response.status === 401)
    throw new Refusal(`the bot at ${url} has another token; run this in its folder, with its settings and as its user`);
  throw new Refusal(refusalSchema.safeParse(body).data?.error ?? `what answers at ${url} is not Navwatch; check HTTP_PORT, or give --url`);
}

await runIfMain(import.meta.url, withHelp(USAGE, login));
