/**
 * Opens and closes the HTTP server of the bot, and protects it from other sites (CSRF, DNS rebinding): Host must be known, Origin must
 * match Host, and a write needs a body type that forms cannot send.
 */
import { serve, type Http2Bindings, type HttpBindings, type ServerType } from '@hono/node-server';
import type { Hono, Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { SECOND, type Clock } from './clock.js';
import { parsedUrl } from './parsed-url.js';

/** A request that is incomplete after this time is aborted, because a sender could hold its connection for ever. */
const REQUEST_WITHIN = 20 * SECOND;

/** Starts listening. Rejects with the system's error, such as a port that is taken. */
export async function listen(
  app: Pick<Hono, 'fetch'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly server: ServerType; readonly url: string }> {
  return new Promise((resolve, reject) => {
    const serverOptions = { requestTimeout: REQUEST_WITHIN, connectionsCheckingInterval: SECOND };
    const server = serve({ fetch: closingUnread(app), hostname: host, port, serverOptions }, (info) => {
      server.off('error', reject);
      resolve({ server, url: `http://${host.includes(':') ? `[${host}]` : host}:${info.port}/` });
    });
    server.once('error', reject);
  });
}

/** Announces the end of a connection on which the rest of a refused body may still come, so that clients do not reuse it. */
const closingUnread =
  (app: Pick<Hono, 'fetch'>) =>
  (request: Request, env: HttpBindings | Http2Bindings): Response | Promise<Response> => {
    const response = app.fetch(request, env);
    return READS.has(request.method) ? response : closingIfUnread(response, env);
  };

async function closingIfUnread(answer: Response | Promise<Response>, { incoming }: HttpBindings | Http2Bindings): Promise<Response> {
  const response = await answer;
  if (response.status >= 400 && !incoming.complete) response.headers.set('Connection', 'close');
  return response;
}

/** How long unanswered requests may continue when the server closes. Most likely their senders never send the rest. */
const GRACE = 2 * SECOND;

/**
 * Accepts no new connections and waits for running answers. `GRACE` after the end of `work` it closes the rest, because a sender could
 * hold its connection for ever.
 */
export async function closed(
  server: ServerType,
  { clock, work }: { readonly clock: Clock; readonly work?: Promise<unknown> },
): Promise<void> {
  const gone = new AbortController();
  const closing = new Promise<void>((resolve) => {
    server.close(() => resolve());
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  });
  const cut = async (): Promise<void> => {
    await work?.catch(() => undefined);
    await clock.sleep(GRACE, gone.signal);
    if ('closeAllConnections' in server) server.closeAllConnections();
  };
  cut().catch(() => undefined);
  await closing;
  gone.abort(new Error('closed'));
}

/** Allowed hosts besides loopback. `any` is for a console that a token protects. */
export type Hosts = 'any' | readonly string[];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const BODY_TYPE = /^(application\/json|multipart\/form-data)\s*(;|$)/iu;

/**
 * Answers 403 for an unknown host, a foreign origin or a cross-site write, and 415 for another body type. A request without Origin
 * passes.
 */
export function guard(hosts: Hosts, asBody: (says: string) => object = (error) => ({ error })): MiddlewareHandler {
  return async (c, next) => {
    c.header('X-Content-Type-Options', 'nosniff');
    const refuse = (says: string, status: 403 | 415 = 403) => c.json(asBody(says), status);
    const host = c.req.header('host');
    const name = hostName(host);
    if (name === undefined || !answersTo(name, hosts))
      return refuse('This bot does not answer to that host name. Open it as http://localhost or http://127.0.0.1, with its port.');
    const origin = c.req.header('origin');
    if (origin !== undefined && !sameHost(origin, host ?? '')) return refuse(OTHER_SITE);
    if (!isOwn(c)) return refuse(OTHER_SITE);
    if (READS.has(c.req.method)) return next();
    if (!BODY_TYPE.test(c.req.header('content-type') ?? '')) return refuse('Send application/json or multipart/form-data.', 415);
    return next();
  };
}

/** Tells whether a request is from our page, a typed address or a program. https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site */
function isOwn({ req }: Context): boolean {
  const site = req.header('sec-fetch-site') ?? 'none';
  if (site === 'none' || site === 'same-origin') return true;
  return req.method === 'GET' && !req.path.startsWith('/api/') && req.header('sec-fetch-dest') === 'document';
}

const OTHER_SITE = 'This request comes from a page of another site.';

const hostName = (host: string | undefined): string | undefined => (host === undefined ? undefined : parsedUrl(`http://${host}`)?.hostname);

/** Tells whether a Host header names this machine. */
export const isLoopbackName = (host: string | undefined): boolean => LOOPBACK.includes(hostName(host) ?? '');

function answersTo(name: string, hosts: Hosts): boolean {
  return hosts === 'any' || LOOPBACK.includes(name) || hosts.some((known) => known.toLowerCase() === name);
}

/** Compares an origin with a host. An explicit default port makes no difference. */
function sameHost(origin: string, host: string): boolean {
  const from = parsedUrl(origin);
  return from !== undefined && from.host !== '' && from.host === parsedUrl(`${from.protocol}//${host}`)?.host;
}

/**
 * Limits the body of a request, in bytes. A stated length is compared as it is, because Node reads no more than that and the middleware
 * makes a stream of each body.
 */
export function limitedBody(limit: Required<Parameters<typeof bodyLimit>[0]>): MiddlewareHandler {
  const counted = bodyLimit(limit);
  return async (c, next) => {
    const length = c.req.header('content-length');
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) return counted(c, next);
    return Number(length) > limit.maxSize ? limit.onError(c) : next();
  };
}

/** The HTTP routes of a module such as console, health or metrics. `app.ts` mounts them at `path`. */
export interface Routes {
  readonly path: string;
  readonly app: Hono;
}
