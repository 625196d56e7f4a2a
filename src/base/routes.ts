/** HTTP routes of a module: console, health, metrics, webhooks. */
import type { Hono } from 'hono';

/** It is mounted at `path` on the HTTP server of `app.ts`. */
export interface Routes {
  readonly path: string;
  readonly app: Hono;
}
