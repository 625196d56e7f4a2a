/** `npm run --silent key -- create --name desk` creates, lists and revokes API keys of the running bot, over HTTP. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { programLine } from '../base/program-line.js';
import { ConfigError, type Config } from '../config.js';
import { nearUrl, printable, runIfMain, withHelp } from './terminal.js';

const USAGE = `Usage: ${programLine('key', 'create [--name desk] [--scope read|manage] [--chat console/main]')}
       ${programLine('key', 'list')}
       ${programLine('key', 'revoke <id>')}
Each takes --url http://127.0.0.1:8787 for a bot at another address.`;
const PATIENCE = 10_000;
const SCOPES: ReadonlySet<string> = new Set(['read', 'manage']);

const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.string(),
  chat: z.string().optional(),
  usedAt: z.string().optional(),
});
const answerSchema = z.object({ token: z.string().optional(), keys: z.array(keySchema).optional(), error: z.string().optional() });

interface KeyTerminal {
  readonly config: () => Pick<Config, 'http' | 'noToken'>;
  /** Gets only the new key, so that a script can store it. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Exits with 0 on success, otherwise with 1 and a sentence. */
export async function key(argv: readonly string[], { config, out, err }: KeyTerminal): Promise<0 | 1> {
  try {
    const { values, positionals } = parse(argv);
    const [action, id] = positionals;
    const { http, noToken } = config();
    const url = (values.url ?? nearUrl(http))?.replace(/\/+$/u, '');
    if (url === undefined) throw new Refusal('HTTP_PORT=0 takes any free port; give the address that the bot printed, with --url');
    const request = async (path: string, body?: object) => requestTo({ url, token: http.consoleToken, noToken, path, body });
    if (action === 'create') {
      if (!SCOPES.has(values.scope)) throw new Refusal(`there is no scope "${values.scope}"; --scope is read or manage`);
      const { token = '' } = await request('keys', { name: values.name, scope: values.scope, chat: values.chat });
      out(printable(token));
      err('This key is shown only now. Send it as "Authorization: Bearer"; /api/docs of the bot lists what it can ask.');
      if (values.chat === '') err('It sees every chat of the bot. --chat console/main makes a key for one.');
    } else if (action === 'list') {
      const { keys = [] } = await request('keys');
      out(keys.length === 0 ? 'There are no keys, so the API is off.' : keys.map(lineOf).join('\n'));
    } else if (action === 'revoke' && id !== undefined) {
      await request(`keys/${encodeURIComponent(id)}/revoke`, {});
      out(`The key ${printable(id)} stopped working.`);
    } else throw new Refusal(USAGE);
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof ConfigError)) throw error;
    err(error instanceof Refusal ? `key: ${printable(error.message)}` : error.message);
    return 1;
  }
}

class Refusal extends Error {}

const lineOf = ({ id, name, scope, chat, usedAt }: z.output<typeof keySchema>): string =>
  printable(
    [id, scope, chat ?? 'every chat', usedAt === undefined ? 'not used yet' : `used within the hour after ${usedAt}`, name]
      .join('  ')
      .trimEnd(),
  );

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        name: { type: 'string', default: '' },
        scope: { type: 'string', default: 'read' },
        chat: { type: 'string', default: '' },
        url: { type: 'string' },
      },
    });
  } catch (cause) {
    throw new Refusal(`${cause instanceof Error ? cause.message : 'the options are not understood'}\n${USAGE}`, { cause });
  }
}

interface KeyRequest {
  readonly url: string;
  readonly token: string | undefined;
  readonly noToken: string | undefined;
  readonly path: string;
  readonly body?: object | undefined;
}

async function requestTo({ url, token, noToken = 'the bot makes its token when it starts', path, body }: KeyRequest) {
  if (token === undefined) throw new Refusal(`there is no token: ${noToken}`);
  if (!URL.canParse(url) || !/^https?:/u.test(url)) throw new Refusal(`${url} is no address; give one such as --url http://127.0.0.1:8787`);
  const response = await fetch(`${url}/api/operator/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
  }).catch((cause: unknown) => {
    throw new Refusal(`no bot answers at ${url}; start it with: ${programLine('start')}`, { cause });
  });
  const answer = answerSchema.safeParse(await response.json().catch(() => undefined));
  if (response.ok && answer.success) return answer.data;
  if (response.status === 401)
    throw new Refusal(`the bot at ${url} has another token; run this in its folder, with its settings and as its user`);
  throw new Refusal(answer.data?.error ?? `what answers at ${url} is not Navwatch; check HTTP_PORT, or give --url`);
}

await runIfMain(import.meta.url, withHelp(USAGE, key));
