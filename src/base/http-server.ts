/** The HTTP server of the bot. */
import { serve, type ServerType } from '@hono/node-server';
import type { Hono } from 'hono';

/** Rejects with the error of the system, such as a port that is taken. */
export async function listen(
  app: Pick<Hono, 'fetch'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly server: ServerType; readonly url: string }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port }, (info) => {
      server.off('error', reject);
      resolve({ server, url: `http://${host.includes(':') ? `[${host}]` : host}:${info.port}/` });
    });
    server.once('error', reject);
  });
}

/** Waits for answers under way, not for idle connections. */
export async function closed(server: ServerType): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  });
}
