/** One HTTP request: grammY's client hides statuses without JSON, and its transport costs twice the CPU of undici's. */
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { SECOND } from '../../base/clock.js';

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** The header. */
  readonly date: string | undefined;
}

/** Connections end before servers close them, which looks like a failure. */
const KEPT_FOR = 4 * SECOND;
const MAX_BYTES = 32 * 1024 * 1024;

// The caller's deadline applies, not undici's timeouts.
const agent = new Agent({
  keepAliveTimeout: KEPT_FOR,
  keepAliveMaxTimeout: KEPT_FOR,
  maxResponseSize: MAX_BYTES,
  headersTimeout: 0,
  bodyTimeout: 0,
});

/** Rejects with the connection's error, or when `signal` aborts. Follows no redirect. */
export async function exchange(url: string, { method = 'GET', headers = {}, body, signal }: HttpRequest): Promise<HttpAnswer> {
  const sent = body === undefined || typeof body === 'string' ? body : Readable.from(body);
  const answer = await request(url, { dispatcher: agent, method, headers, signal, ...(sent === undefined ? {} : { body: sent }) });
  return { status: answer.statusCode, date: [answer.headers.date].flat()[0], text: await answer.body.text() };
}
