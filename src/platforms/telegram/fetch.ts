/** The `fetch` of grammY. Its errors never hold the address, which holds the token. */
import { SECOND, type Clock } from '../../base/clock.js';
import { exchange, type HttpRequest } from './http.js';

/** `unreachable`, `unavailable`: not carried out. `line-cut`, `timeout`, `doubtful`: perhaps. */
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

/** Milliseconds. */
export const CALL_TIMEOUT = 20 * SECOND;
/** Seconds, https://core.telegram.org/bots/api#getupdates */
export const POLL_SECONDS = 25;

/** grammY's signal type comes from another package. */
interface Request {
  readonly signal: Pick<AbortSignal, 'aborted'> &
    Record<'addEventListener' | 'removeEventListener', (type: 'abort', listener: () => void) => void>;
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

export interface WireDeps {
  readonly clock: Clock;
  readonly polling: AbortSignal;
  readonly closing: AbortSignal;
  /** Asked directly before each request. Absent: always. */
  readonly isActive?: (() => boolean) | undefined;
}

type Ender = Request['signal'];

interface Errand<T> {
  readonly run: (signal: AbortSignal) => Promise<T>;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly limit: number;
  readonly enders: readonly Ender[];
}

/** Made once: an error for each call would cost more than its timer. */
const ANSWERED = new Error('answered');

/** Rejects with a `WireError` only. */
export async function errand<T>({ run, clock, limit, enders }: Errand<T>): Promise<T> {
  if (enders.some(({ aborted }) => aborted)) throw new WireError('unreachable', 'the bot is stopping');
  const ended = new AbortController();
  const end = (): void => ended.abort();
  // Not `AbortSignal.any`: on Node 20 a long-lived signal keeps every signal that was ever joined to it.
  for (const ender of enders) ender.addEventListener('abort', end);
  const answered = new AbortController();
  let late = false;
  const watch = clock.sleep(limit, answered.signal).then(
    () => {
      late = true;
      ended.abort();
    },
    () => undefined,
  );
  try {
    return await run(ended.signal);
  } catch (error) {
    if (error instanceof WireError) throw error;
    if (late) throw new WireError('timeout', `no answer within ${limit / SECOND} s`);
    if (ended.signal.aborted) throw new WireError('line-cut', 'the call was given up');
    throw broken(error);
  } finally {
    for (const ender of enders) ender.removeEventListener('abort', end);
    answered.abort(ANSWERED);
    await watch;
  }
}

export const wire =
  ({ clock, polling, closing, isActive = () => true }: WireDeps) =>
  async (url: string, { signal, ...init }: Request): Promise<{ json: () => Promise<unknown> }> => {
    const isPoll = url.endsWith('/getUpdates');
    return errand({
      clock,
      limit: isPoll ? CALL_TIMEOUT + POLL_SECONDS * SECOND : CALL_TIMEOUT,
      enders: [signal, closing, ...(isPoll ? [polling] : [])],
      async run(ended) {
        const request = { ...requestOf(init), signal: ended };
        if (!isActive()) throw new WireError('unreachable', 'another process of the bot is active');
        const { status, text: answered } = await exchange(url, request);
        const body = parsed(status, answered);
        return { json: async () => body };
      },
    });
  };

/** As grammY makes them. Read by hand, as the answers are: a schema copies what it reads, for each message. */
function requestOf({ method, headers, body }: Omit<Request, 'signal'>): Omit<HttpRequest, 'signal'> {
  const texts = Object.entries(headers ?? {}).filter((header): header is [string, string] => typeof header[1] === 'string');
  const request = { method: method === 'POST' ? 'POST' : 'GET', headers: Object.fromEntries(texts) } as const;
  return typeof body === 'string' || isIterable(body) ? { ...request, body } : request;
}

const isIterable = (body: unknown): body is AsyncIterable<Uint8Array> => isObject(body) && Symbol.asyncIterator in body;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Else a proxy's page or a cut response. */
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
    return undefined; // No JSON is no answer of Telegram.
  }
}

/** https://core.telegram.org/bots/api#making-requests */
function isAnswer(value: unknown): boolean {
  if (!isObject(value) || !('ok' in value)) return false;
  if (value.ok === true) return true;
  const isRefusal = 'error_code' in value && Number.isSafeInteger(value.error_code);
  return value.ok === false && isRefusal && 'description' in value && typeof value.description === 'string';
}

/** No request was sent. */
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
