/**
 * Which requests the bot's HTTP servers take. A page of another site can make a browser send requests here, and can have its own name resolve to
 * this machine (DNS rebinding). So Host must be one of our names, Origin must be that Host, and a change needs a body type that forms cannot forge.
 */
import type { Context, MiddlewareHandler } from 'hono';

/** Names to answer to beside the loopback ones; `any` where a token protects a console that is bound beyond this machine. */
export type Hosts = 'any' | readonly string[];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const BODY_TYPE = /^(application\/json|multipart\/form-data)\s*(;|$)/iu;

/**
 * Refuses strange hosts, origins and cross-site changes with 403, other body types with 415; `asBody` makes the body of the sentence. A request
 * without an Origin is a program's and passes.
 */
export function guard(hosts: Hosts, asBody: (says: string) => object = (error) => ({ error })): MiddlewareHandler {
  return async (c, next) => {
    const refuse = (says: string, status: 403 | 415 = 403) => c.json(asBody(says), status);
    const host = c.req.header('host');
    const name = host === undefined ? undefined : urlOf(`http://${host}`)?.hostname;
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

/**
 * Whether our own page, a person or a program asks. A link on another site may open a page of ours; images and scripts that it loads carry no Origin.
 * https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
function isOwn({ req }: Context): boolean {
  const site = req.header('sec-fetch-site') ?? 'none';
  if (site === 'none' || site === 'same-origin') return true;
  return req.method === 'GET' && !req.path.startsWith('/api/') && req.header('sec-fetch-dest') === 'document';
}

const OTHER_SITE = 'This request comes from a page of another site.';

function answersTo(name: string, hosts: Hosts): boolean {
  return hosts === 'any' || LOOPBACK.includes(name) || hosts.some((known) => known.toLowerCase() === name);
}

/** Compares with the origin's own scheme, so that a default port written on one side only makes no difference. */
function sameHost(origin: string, host: string): boolean {
  const from = urlOf(origin);
  return from !== undefined && from.host !== '' && from.host === urlOf(`${from.protocol}//${host}`)?.host;
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
