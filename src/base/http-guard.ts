/** Protects HTTP servers from other sites (CSRF, DNS rebinding): Host must be known, Origin must match Host, and a write needs a body type that forms cannot send. */
import type { Context, MiddlewareHandler } from 'hono';
import { parsedUrl } from './parsed-url.js';

/** These hosts are allowed beside loopback; `any` is for a console that a token protects. */
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

/** Our own page, a typed address or a program. https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site */
function isOwn({ req }: Context): boolean {
  const site = req.header('sec-fetch-site') ?? 'none';
  if (site === 'none' || site === 'same-origin') return true;
  return req.method === 'GET' && !req.path.startsWith('/api/') && req.header('sec-fetch-dest') === 'document';
}

const OTHER_SITE = 'This request comes from a page of another site.';

const hostName = (host: string | undefined): string | undefined => (host === undefined ? undefined : parsedUrl(`http://${host}`)?.hostname);

/** The value of a Host header that names this machine. */
export const isLoopbackName = (host: string | undefined): boolean => LOOPBACK.includes(hostName(host) ?? '');

function answersTo(name: string, hosts: Hosts): boolean {
  return hosts === 'any' || LOOPBACK.includes(name) || hosts.some((known) => known.toLowerCase() === name);
}

/** An explicit default port makes no difference. */
function sameHost(origin: string, host: string): boolean {
  const from = parsedUrl(origin);
  return from !== undefined && from.host !== '' && from.host === parsedUrl(`${from.protocol}//${host}`)?.host;
}
