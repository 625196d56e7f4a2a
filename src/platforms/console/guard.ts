/**
 * Who may talk to the console. A page of another site can make a browser send requests here, and can even have its own name resolve to this
 * machine (DNS rebinding); so the Host must be a name we answer to, and the Origin, where a browser sends one, must be that Host.
 */
import type { Context, MiddlewareHandler } from 'hono';

/** Names to answer to beside the loopback ones; `any` where a token protects a console that is bound beyond this machine. */
export type Hosts = 'any' | readonly string[];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Refuses strange hosts and origins with 403 and a sentence. A request without an Origin is a program's and passes. */
export function guard(hosts: Hosts): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header('host');
    const name = host === undefined ? undefined : urlOf(`http://${host}`)?.hostname;
    if (name === undefined || !answersTo(name, hosts))
      return refuse(c, 'This console does not answer to that host name. Open it as http://localhost or http://127.0.0.1, with its port.');
    const origin = c.req.header('origin');
    if (origin !== undefined && !sameHost(origin, host ?? '')) return refuse(c, 'This request comes from a page of another site.');
    return next();
  };
}

const refuse = (c: Context, error: string) => c.json({ error }, 403);

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
