/** The files of the Webhooks page. */
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

export function webhookPage(): Hono {
  const root = fileURLToPath(new URL('page', import.meta.url));
  const app = new Hono();
  app.get('/', serveStatic({ root, path: 'webhooks.html' }));
  for (const file of ['webhooks.js', 'webhooks.css']) app.get(`/${file}`, serveStatic({ root, path: file }));
  return app;
}
