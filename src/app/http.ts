/** The one HTTP server of a process. */
import type { Hono } from 'hono';
import type { Clock } from '../base/clock.js';
import { closed, listen } from '../base/http-server.js';
import { ConfigError, type Config } from '../config.js';

export interface HttpServer {
  readonly url: string;
  /** Serves this from now on. */
  show(app: Hono): void;
  /** Waits for answers under way; those that last much longer than `work` are cut. Idempotent. */
  close(work?: Promise<unknown>): Promise<void>;
}

/** Rejects with a `ConfigError` for a port that is taken or not permitted. */
export async function openHttp(where: Config['http'], first: Hono, clock: Clock): Promise<HttpServer> {
  let shown = first;
  const listening = listen({ fetch: (request, env) => shown.fetch(request, env) }, where);
  const { server, url } = await listening.catch((cause: unknown) => Promise.reject(notListening(where, cause)));
  let closing: Promise<void> | undefined;
  return {
    url,
    show: (app) => void (shown = app),
    close: async (work) => (closing ??= closed(server, work === undefined ? { clock } : { clock, work })),
  };
}

const notListening = ({ host, port }: Config['http'], cause: unknown): ConfigError =>
  new ConfigError(
    `config: HTTP_PORT: ${host}:${port} cannot be listened on (${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}); choose another port, or 0 for any`,
    { cause },
  );
