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
  // As bytes: a form fails where the global dispatcher is of another undici than `fetch`.
  const encoded = form && new Response(form);
  const type = encoded?.headers.get('content-type') ?? (body === undefined ? undefined : 'application/json');
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = encoded === undefined ? text : new Uint8Array(await encoded.arrayBuffer());
  const answer = await fetch(`${url}/v10${path}`, {
    method,
    headers: { authorization: `Bot ${token}`, ...(type !== undefined && { 'content-type': type }) },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const said = await answer.text();
  return { status: answer.status, body: said === '' ? undefined : (JSON.parse(said) as unknown), headers: answer.headers };
}

/** Throws what the stand-in itself did wrong: an answer that breaks the published contract, or a failure of its own. For `afterEach`. */
export function refuseBreaches({ transcript }: Pick<DiscordStandIn, 'transcript'>): void {
  const breaches = transcript.calls().flatMap((call) => call.breaches.map((breach) => `${call.method} ${call.path}: ${breach}`));
  if (breaches.length > 0) throw new Error(`The stand-in broke its word: ${breaches.join('; ')}.`);
}
