/** grammY's client over our own HTTP, with rate limiter and retries. Its errors never contain the URL, because the URL contains the token. */
import { Readable } from 'node:stream';
import { Api, type Transformer } from 'grammy/web';
import { z } from 'zod';
import { SECOND, type Clock } from '../../base/clock.js';
import { LateError, withDeadline, type DeadlineOptions, type Stop } from '../../base/deadline.js';
import { Agent } from '../../base/http-client.js';
import type { Limiter } from '../limiter/limiter.js';
import type { ServerVersion } from './server-version.js';

export interface TelegramApiDeps extends WireDeps {
  readonly token: string;
  readonly apiRoot: string;
  readonly version?: ServerVersion | undefined;
}

/** The value is in seconds. A longer wait is left to the caller. */
const MAX_WAIT_HERE = 5;
const MAX_REPEATS = 2;

/** The methods that count against the flood limits; reading and "typing…" do not. */
const COUNTS = /^(send(?!ChatAction)|edit|copy|forward)/u;

const addressed = z.object({ chat_id: z.union([z.string(), z.number()]).transform(String) });

/** Opens the client for uncounted calls, and for alerts, which already have a slot. */
export function openApi({ token, apiRoot, version, ...deps }: TelegramApiDeps): Api {
  const api = new Api(token, { apiRoot: apiRoot.replace(/\/+$/u, ''), fetch: wire(deps) });
  if (version !== undefined) api.config.use(version.adapt);
  return api;
}

/** Opens the client for answers. Counted requests wait for slots in the turn of `asker`. */
export function openAnsweringApi(deps: TelegramApiDeps, limiter: Limiter, asker?: string): Api {
  const api = openApi(deps);
  const limited: Transformer = async (prev, method, payload, signal) => {
    const { data } = COUNTS.test(method) ? addressed.safeParse(payload) : {};
    if (data === undefined) return prev(method, payload, signal);
    const slot = await limiter.take({ chat: data.chat_id, kind: 'answer', asker }, deps.closing);
    if (slot === undefined) throw new WireError('unreachable', 'the bot is stopping, or has to wait for long in this chat');
    try {
      const answer = await prev(method, payload, signal);
      if (!answer.ok && answer.error_code === 429) slot.refused((answer.parameters?.retry_after ?? 1) * SECOND);
      return answer;
    } finally {
      slot.answered();
    }
  };
  api.config.use(limited, repeatedAfterRefusal(deps));
  return api;
}

/** Repeats a call that Telegram refused for a short time. One that was cut off or got a server error may have been executed, so the caller decides. */
const repeatedAfterRefusal =
  ({ clock, closing }: Pick<WireDeps, 'clock' | 'closing'>): Transformer =>
  async (prev, method, payload, signal) => {
    for (let repeats = 0; ; repeats += 1) {
      const answer = await prev(method, payload, signal);
      const seconds = answer.ok ? undefined : answer.parameters?.retry_after;
      if (seconds === undefined || seconds > MAX_WAIT_HERE || repeats === MAX_REPEATS) return answer;
      // After the end of the wait by a stop the call is refused.
      await clock.sleep(seconds * SECOND, closing).catch(() => undefined);
    }
  };

/** With `unreachable` and `unavailable` the request was not executed; with the others it may have been. */
export type WireTrouble = 'unreachable' | 'unavailable' | 'line-cut' | 'timeout' | 'doubtful';

export class WireError extends Error {
  override readonly name = 'WireError';
  constructor(
    readonly trouble: WireTrouble,
    message: string,
  ) {
    super(message);
  }
}

/** The timeout is in milliseconds. */
export const CALL_TIMEOUT = 20 * SECOND;
/** Seconds, https://core.telegram.org/bots/api#getupdates */
export const POLL_SECONDS = 25;

interface Request {
  readonly signal: Stop;
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

export interface WireDeps {
  readonly clock: Clock;
  readonly polling: AbortSignal;
  readonly closing: AbortSignal;
  /** Called directly before each request. If undefined, the process counts as active. */
  readonly isActive?: (() => boolean) | undefined;
  /** Called with the `Date` header of each response. */
  readonly onDate?: ((header: string | undefined) => void) | undefined;
}

/** Rejects with a `WireError` only. */
export async function call<T>(options: DeadlineOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { milliseconds, stops = [] } = options;
  if (stops.some(({ aborted }) => aborted)) throw new WireError('unreachable', 'the bot is stopping');
  try {
    return await withDeadline(options, work);
  } catch (error) {
    if (error instanceof WireError) throw error;
    if (error instanceof LateError) throw new WireError('timeout', `no answer within ${milliseconds / SECOND} s`);
    if (stops.some(({ aborted }) => aborted)) throw new WireError('line-cut', 'the call was given up');
    throw broken(error);
  }
}

const wire =
  ({ clock, polling, closing, isActive = () => true, onDate }: WireDeps) =>
  async (url: string, { signal, ...init }: Request): Promise<{ json: () => Promise<unknown> }> => {
    const isPoll = url.endsWith('/getUpdates');
    const milliseconds = isPoll ? CALL_TIMEOUT + POLL_SECONDS * SECOND : CALL_TIMEOUT;
    return call({ clock, milliseconds, stops: [signal, closing, ...(isPoll ? [polling] : [])] }, async (ended) => {
      const request = { ...requestOf(init), signal: ended };
      if (!isActive()) throw new WireError('unreachable', 'another process of the bot is active');
      const { status, date, text: answered } = await exchange(url, request);
      onDate?.(date);
      const body = parsed(status, answered);
      return { json: async () => body };
    });
  };

/**
 * Requests are in grammY's form. They are checked by hand, like the answers, because a schema would copy the data of each
 * message.
 */
function requestOf({ method, headers, body }: Omit<Request, 'signal'>): Omit<HttpRequest, 'signal'> {
  const texts = Object.entries(headers ?? {}).filter((header): header is [string, string] => typeof header[1] === 'string');
  const request = { method: method === 'POST' ? 'POST' : 'GET', headers: Object.fromEntries(texts) } as const;
  return typeof body === 'string' || isIterable(body) ? { ...request, body } : request;
}

const isIterable = (body: unknown): body is AsyncIterable<Uint8Array> => isObject(body) && Symbol.asyncIterator in body;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Throws if the response is a proxy's page or was cut off. */
function parsed(status: number, text: string): unknown {
  const answer = parsedJson(text);
  if (isAnswer(answer)) return answer;
  if (status === 502 || status === 503) throw new WireError('unavailable', `a proxy answered ${status}`);
  if (status >= 500) throw new WireError('doubtful', `a proxy answered ${status}`);
  if (status >= 400) throw new WireError('unreachable', `something other than Telegram answered ${status}`);
  throw new WireError('line-cut', 'the answer was none of Telegram');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A response that is not JSON is not from Telegram.
  }
}

/** https://core.telegram.org/bots/api#making-requests */
function isAnswer(value: unknown): boolean {
  if (!isObject(value) || !('ok' in value)) return false;
  if (value.ok === true) return true;
  const isRefusal = 'error_code' in value && Number.isSafeInteger(value.error_code);
  return value.ok === false && isRefusal && 'description' in value && typeof value.description === 'string';
}

/** The error codes after which no request was sent. */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|ERR_SSL_.*|.*CERT.*|UNABLE_TO_.*)$/u;

function broken(error: unknown): WireError {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code = text(cause, 'code') ?? 'unknown';
  return NOT_CONNECTED.test(code) || text(cause, 'syscall') === 'connect'
    ? new WireError('unreachable', `no connection (${code})`)
    : new WireError('line-cut', `the line was cut (${code})`);
}

function text(of: unknown, key: string): string | undefined {
  const value: unknown = isObject(of) ? Reflect.get(of, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly date: string | undefined;
}

/** We close idle connections before the server does, because its close would look like a failed request. */
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

/** Rejects with the connection's error, or when `signal` aborts. Does not follow redirects. */
async function exchange(url: string, { method = 'GET', headers = {}, body, signal }: HttpRequest): Promise<HttpAnswer> {
  const sent = body === undefined || typeof body === 'string' ? body : Readable.from(body);
  const { origin, pathname, search } = new URL(url);
  const answer = await agent.request({
    ...{ origin, path: `${pathname}${search}`, method, headers, signal },
    ...(sent === undefined ? {} : { body: sent }),
  });
  return { status: answer.statusCode, date: [answer.headers.date].flat()[0], text: await answer.body.text() };
}
