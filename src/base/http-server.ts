/** Opens the HTTP server of the bot. */
import { serve, type ServerType } from '@hono/node-server';
import type { Hono } from 'hono';
import { SECOND, type Clock } from './clock.js';

/** A request that is not whole by then is cut off, as a sender may hold its connection for ever. */
const REQUEST_WITHIN = 20 * SECOND;

/** Rejects with the error of the system, such as a port that is taken. */
export async function listen(
  app: Pick<Hono, 'fetch'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly server: ServerType; readonly url: string }> {
  return new Promise((resolve, reject) => {
    const serverOptions = { requestTimeout: REQUEST_WITHIN, connectionsCheckingInterval: SECOND };
    const server = serve({ fetch: app.fetch, hostname: host, port, serverOptions }, (info) => {
      server.off('error', reject);
      resolve({ server, url: `http://${host.includes(':') ? `[${host}]` : host}:${info.port}/` });
    });
    server.once('error', reject);
  });
}

/** A request that nobody answers yet gets so long: most likely its sender never sends the rest. */
const GRACE = 2 * SECOND;

/**
 * Takes no new connection and waits for answers under way. `GRACE` after `work` has ended it cuts those that are left, as a sender may
 * hold a connection for ever.
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
