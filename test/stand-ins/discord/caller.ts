/** Calls of a bot without a client library in between, so that a test sees what goes over the line. */
import type { DiscordStandIn } from './types.js';

export interface Spoken {
  readonly status: number;
  /** Parsed; undefined for an answer without a body. */
  readonly body: unknown;
  readonly headers: Headers;
}

export interface Wanted {
  readonly body?: unknown;
  /** Files by name; the body then goes as `payload_json`. */
  readonly files?: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
  /** Another token than the bot's. */
  readonly token?: string;
}

/** Asks one thing; rejects when the line is cut. */
export async function ask({ url, token: own }: DiscordStandIn, line: string, { body, files, token = own }: Wanted = {}): Promise<Spoken> {
  const [method = '', path = ''] = line.split(' ');
  const form = files === undefined ? undefined : new FormData();
  form?.set('payload_json', JSON.stringify(body ?? {}));
  for (const [at, [name, bytes]] of Object.entries(files ?? {}).entries()) form?.set(`files[${at}]`, new Blob([bytes]), name);
  const answer = await fetch(`${url}/v10${path}`, {
    method,
    headers: { authorization: `Bot ${token}`, ...(form === undefined && body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined || form !== undefined ? { body: form ?? JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown), headers: answer.headers };
}

/** Throws what the stand-in itself did wrong: an answer that breaks the published contract, or a failure of its own. For `afterEach`. */
export function refuseBreaches({ transcript }: Pick<DiscordStandIn, 'transcript'>): void {
  const breaches = transcript.calls().flatMap((call) => call.breaches.map((breach) => `${call.method} ${call.path}: ${breach}`));
  if (breaches.length > 0) throw new Error(`The stand-in broke its word: ${breaches.join('; ')}.`);
}
