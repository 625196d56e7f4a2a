/** Sends single HTTP requests, without retries. Does not follow redirects, because the key must not reach another host. */
import { omitUndefined } from '../base/omit-undefined.js';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { SECOND } from '../base/clock.js';
import { unlessAborted } from '../base/deadline.js';
import { Agent, DecoratorHandler, errors, type Dispatcher } from '../base/http-client.js';

export type TransportResponse =
  /** The status is 2xx and the body is complete. */
  | { readonly kind: 'body'; readonly text: string }
  /** `text` is set only for a refused `POST`, whose body states a wait (§7). */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter: string | undefined; readonly text?: string }
  | { readonly kind: 'oversize' }
  /** The body cannot be decompressed or is not UTF-8. */
  | { readonly kind: 'garbled' }
  | { readonly kind: 'broken'; readonly code: string };

export interface Request {
  readonly path: string;
  readonly body?: string | undefined;
  /** A media type, by default that of JSON. */
  readonly accept?: string | undefined;
  readonly signal: AbortSignal;
  /** Called before the request settles, only if certainly nothing of it was sent. */
  readonly unsent?: (() => void) | undefined;
}

interface Exchange extends Pick<Request, 'path' | 'body' | 'signal'> {
  readonly headers: Readonly<Record<string, string>>;
  /** Called before the first byte is written to a connection. */
  readonly begins: () => void;
}

export interface Transport {
  /** Rejects only with the signal's reason. */
  send(request: Request): Promise<TransportResponse>;
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The largest size of a body after decompression. */
  readonly maxBytes: number;
  readonly connections: number;
  /** Called directly before each POST. By default the process is always active. */
  readonly isActive?: (() => boolean) | undefined;
  /** Called with the `Date` header of each response. */
  readonly onDate?: ((header: string | undefined) => void) | undefined;
}

export type Connect = (options: TransportOptions) => Transport;

const CONNECT_TIMEOUT = 4 * SECOND;

export function createTransport({ baseUrl, apiKey, maxBytes, connections, isActive = () => true, onDate }: TransportOptions): Transport {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  // The caller's deadline applies, not undici's timeouts.
  const agent = new Agent({ connections, connect: { timeout: CONNECT_TIMEOUT }, headersTimeout: 0, bodyTimeout: 0 });
  const headers = omitUndefined({
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'navwatch',
    'x-api-key': apiKey,
  });

  async function exchange({ path, body, headers: wanted, signal, begins }: Exchange): Promise<TransportResponse> {
    const watched = agent.compose((dispatch) => (options, handler) => dispatch(options, beginning(handler, begins)));
    const answer = await watched.request({
      origin: base.origin,
      path,
      signal,
      ...(body === undefined ? { method: 'GET', headers: wanted } : { method: 'POST', headers: { ...wanted, ...JSON_TYPE }, body }),
    });
    onDate?.([answer.headers.date].flat()[0]);
    if (answer.statusCode >= 200 && answer.statusCode <= 299) return readBody(answer, maxBytes);
    const response = { kind: 'status', status: answer.statusCode, retryAfter: [answer.headers['retry-after']].flat()[0] } as const;
    if (body !== undefined) return { ...response, text: await refusalText(answer) };
    // The body is drained, so that the connection can be used again.
    await answer.body.dump({ limit: DUMPED, signal }).catch(() => {});
    return response;
  }

  return {
    async send({ path, body, accept, signal, unsent }) {
      let hasBegun = false;
      const begins = (): void => void (hasBegun = true);
      try {
        signal.throwIfAborted();
        const wanted = accept === undefined ? headers : { ...headers, accept };
        if (body !== undefined && !isActive()) return { kind: 'broken', code: 'NOT_ACTIVE' };
        // undici may never settle a request with an unexpected response, so the signal ends the wait.
        return await unlessAborted(signal, exchange({ path: prefix + path, body, headers: wanted, signal, begins }));
      } catch (error) {
        signal.throwIfAborted();
        return failure(error);
      } finally {
        if (!hasBegun) unsent?.();
      }
    },
    close: async () => agent.destroy(),
  };
}

/** Calls `begins` once the request has a connection with TLS. Failed lookups, connections and handshakes happen before that. */
function beginning(handler: Dispatcher.DispatchHandler, begins: () => void): Dispatcher.DispatchHandler {
  const watched: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
  const start = watched.onRequestStart?.bind(watched);
  watched.onRequestStart = (controller, context) => {
    begins();
    start?.(controller, context);
  };
  return watched;
}

/** The value is in bytes. Larger error bodies close the connection. */
const DUMPED = 64 * 1024;

const JSON_TYPE = { 'content-type': 'application/json' };

async function refusalText(answer: Dispatcher.ResponseData): Promise<string> {
  try {
    const response = await readBody(answer, DUMPED);
    return response.kind === 'body' ? response.text : '';
  } catch {
    return ''; // An unreadable error body is ignored; the status is enough.
  }
}

/** Needed although we ask for `identity`: servers may compress anyway. */
const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

async function readBody({ headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<TransportResponse> {
  const packing = [headers['content-encoding'] ?? 'identity'].flat().join().trim().toLowerCase();
  const unpacker = Object.hasOwn(UNPACKERS, packing) ? UNPACKERS[packing] : undefined;
  if (unpacker === undefined && packing !== 'identity') {
    body.destroy();
    return { kind: 'garbled' };
  }
  const bytes = unpacker === undefined ? await collect(body, maxBytes) : await unpack(body, unpacker(), maxBytes);
  try {
    return { kind: 'body', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'garbled' };
  }
}

async function unpack(body: Dispatcher.ResponseData['body'], unpacker: Transform, maxBytes: number): Promise<Uint8Array> {
  body.once('error', (error) => unpacker.destroy(error));
  try {
    return await collect(body.pipe(unpacker), maxBytes);
  } finally {
    body.destroy();
  }
}

async function collect(stream: AsyncIterable<unknown>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a body is bytes');
    size += chunk.byteLength;
    // Leaving the loop destroys the stream.
    if (size > maxBytes) throw new errors.ResponseExceededMaxSizeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Maps an error to its kind only, because its message may contain bytes of the response. */
function failure(error: unknown): TransportResponse {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no code';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return { kind: 'oversize' };
  if (/^(Z_|ERR_(_ERROR_)?(BROTLI|ZSTD))/.test(code)) return { kind: 'garbled' };
  return { kind: 'broken', code };
}
