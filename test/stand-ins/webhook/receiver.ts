/**
 * A strict receiver of Standard Webhooks, with its own verification: it refuses what a careful program would refuse, and keeps what it
 * accepted, each webhook-id once.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { once } from 'node:events';
import { z } from 'zod';

/** The specification's tolerance, in seconds. */
const TOLERANCE = 5 * 60;

const bodySchema = z.looseObject({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.looseObject({
    version: z.literal(1),
    id: z.string(),
    refersTo: z.string().optional(),
    text: z.string(),
    events: z.array(z.looseObject({ id: z.string(), kind: z.string(), stage: z.string(), text: z.string() })),
    omitted: z.int(),
  }),
});
export type Received = z.infer<typeof bodySchema>;

/** Instead of accepting: a status with headers, or what a broken server does. */
export type Behaviour =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'hang'
  | 'slow'
  | 'endless'
  | 'cut'
  /** Takes the message, then cuts the connection. */
  | 'taken and cut';

export interface ReceiverOptions {
  /** In ms. Default: the machine's. */
  readonly now?: () => number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  trust(...secrets: readonly string[]): void;
  /** For the next requests; then it accepts again. */
  next(...behaviours: readonly Behaviour[]): void;
  always(behaviour: Behaviour | undefined): void;
  /** Accepted, each id once, in order. */
  readonly received: readonly Received[];
  /** What a person who reads along sees: updates and corrections change the message that they refer to. */
  standing(): readonly { readonly id: string; readonly text: string }[];
  /** Requests that were accepted again under a known id. */
  readonly repeats: readonly string[];
  /** Why requests were refused. */
  readonly refused: readonly string[];
  /** Requests that arrived, whatever became of them. */
  requests(): number;
  close(): Promise<void>;
}

export async function startReceiver({ now = () => Date.now(), tls }: ReceiverOptions = {}): Promise<Receiver> {
  const secrets = new Set<string>();
  const queue: Behaviour[] = [];
  let otherwise: Behaviour | undefined;
  let requests = 0;
  const bodies = new Map<string, string>();
  const received: Received[] = [];
  const repeats: string[] = [];
  const refused: string[] = [];
  const timers = new Set<NodeJS.Timeout>();

  /** A sentence for a request that is refused. */
  function fault({ headers, method }: IncomingMessage, body: string): string | undefined {
    const header = (name: string): string => String(headers[name] ?? '');
    const [id, time, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
    if (method !== 'POST') return `the method is ${method}`;
    if (header('content-type') !== 'application/json') return 'the content type is not JSON';
    if (!/^[\w-]{1,64}$/u.test(id)) return 'no webhook-id';
    if (!/^\d{10}$/u.test(time)) return 'no webhook-timestamp';
    if (Math.abs(now() / 1_000 - Number(time)) > TOLERANCE) return 'the timestamp is too far away';
    const passes = signatures.split(' ').some((one) => [...secrets].some((secret) => matches(one, secret, `${id}.${time}.${body}`)));
    if (!passes) return 'no signature matches';
    const parsed = bodySchema.safeParse(JSON.parse(body));
    if (!parsed.success) return `the body is not as documented: ${parsed.error.message}`;
    if (parsed.data.data.id !== id) return 'the body has another id';
    const known = bodies.get(id);
    if (known !== undefined && known !== body) return 'the same id with another body';
    if (known === undefined) received.push(parsed.data);
    else repeats.push(id);
    bodies.set(id, body);
    return undefined;
  }

  const listener: RequestListener = (request, response) => {
    requests += 1;
    const behaviour = queue.shift() ?? otherwise;
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      if (behaviour === undefined || behaviour === 'taken and cut') {
        const because = fault(request, body);
        if (because !== undefined) refused.push(because);
        if (behaviour !== undefined) response.destroy();
        else response.writeHead(because === undefined ? 204 : 401).end();
      } else misbehave(behaviour, response);
    });
  };

  function misbehave(behaviour: Exclude<Behaviour, 'taken and cut'>, response: ServerResponse): void {
    if (typeof behaviour === 'object') response.writeHead(behaviour.status, behaviour.headers).end('no');
    else if (behaviour === 'cut') response.destroy();
    else if (behaviour === 'slow') drip(response, (text) => response.socket?.write(text), 'HTTP/1.1 200 OK\r\nx-very-slow: ');
    else if (behaviour === 'endless') {
      response.writeHead(200);
      drip(response, (text) => response.write(text.repeat(10_000)), '');
    }
  }

  /** One byte after the other, for ever. */
  function drip(response: ServerResponse, write: (text: string) => unknown, begin: string): void {
    let left = begin;
    const timer = setInterval(() => {
      write(left === '' ? 'x' : left.slice(0, 1));
      left = left.slice(1);
    }, 5);
    timers.add(timer);
    const stop = (): void => {
      clearInterval(timer);
      timers.delete(timer);
    };
    response.on('close', stop);
    response.on('error', stop);
  }

  const server: Server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('receiver: no port');
  const { port } = address;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hooks/navwatch`,
    port,
    trust(...those) {
      for (const secret of those) secrets.add(secret);
    },
    next: (...behaviours) => void queue.push(...behaviours),
    always: (behaviour) => {
      otherwise = behaviour;
    },
    received,
    standing() {
      const messages = new Map<string, string>();
      for (const { type, data } of received) {
        const changes = type === 'alert.updated' || (type === 'alert.corrected' && messages.has(data.refersTo ?? ''));
        messages.set(changes ? (data.refersTo ?? '') : data.id, data.text);
      }
      return [...messages].map(([id, text]) => ({ id, text }));
    },
    repeats,
    refused,
    requests: () => requests,
    async close() {
      for (const timer of timers) clearInterval(timer);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function matches(one: string, secret: string, signed: string): boolean {
  const [version, signature = ''] = one.split(',');
  if (version !== 'v1' || !secret.startsWith('whsec_')) return false;
  const expected = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
