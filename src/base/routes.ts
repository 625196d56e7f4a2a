/** The port by which a room offers something over HTTP: the console, health, later metrics and webhooks. */
import type { Hono } from 'hono';

/** Mounted at `path` on the bot's one HTTP server, which only `app.ts` owns. */
export interface Routes {
  readonly path: string;
  readonly app: Hono;
}
