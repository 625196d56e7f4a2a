/**
 * One HTTP request, from the wire to "this is what was heard". It judges nothing (see `verdict.ts`), retries nothing and follows no redirect,
 * because the key must not travel to another host. The key stands in one header and nowhere else.
 */
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { Agent, errors, type Dispatcher } from 'undici';
import { SECOND } from '../base/clock.js';

export type TransportResponse =
  /** A good status, and the whole body as text. */
  | { readonly kind: 'body'; readonly text: string }
  /** Any other status. Error bodies have no promised shape; only that of a refused `POST` is read, for how long to wait (§7). */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter: string | undefined; readonly text?: string }
  | { readonly kind: 'oversize' }
  /** The body could not be unpacked or is no UTF-8 text. */
  | { readonly kind: 'garbled' }
  /** No connection, or the line was cut. `code` is the system's word for it. */
  | { readonly kind: 'broken'; readonly code: string };

export interface Request {
  readonly path: string;
  /** The JSON body of a `POST`; without one it is a `GET`. */
  readonly body?: string | undefined;
  /** The type wanted. Default: JSON. */
  readonly accept?: string | undefined;
  readonly signal: AbortSignal;
}

export interface Transport {
  /** Rejects only with the signal's reason. */
  send(request: Request): Promise<TransportResponse>;
  /** Cuts what is still open. */
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The most bytes of a body, counted as they are after unpacking. */
  readonly maxBytes: number;
  readonly connections: number;
}

const CONNECT_TIMEOUT = 4 * SECOND;

export function createTransport({ baseUrl, apiKey, maxBytes, connections }: TransportOptions): Transport {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  // The caller's deadline governs; undici's own timers would end a call at a moment nobody chose.
  const agent = new Agent({ connections, connect: { timeout: CONNECT_TIMEOUT }, headersTimeout: 0, bodyTimeout: 0 });
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'navwatch',
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
  };

  return {
    async send({ path, body, accept, signal }) {
      signal.throwIfAborted();
      const wanted = accept === undefined ? headers : { ...headers, accept };
      try {
        const answer = await agent.request({
          ...{ origin: base.origin, path: prefix + path, signal },
          ...(body === undefined ? { method: 'GET', headers: wanted } : { method: 'POST', headers: { ...wanted, ...JSON_TYPE }, body }),
        });
        if (answer.statusCode < 200 || answer.statusCode > 299) {
          const heard = { kind: 'status', status: answer.statusCode, retryAfter: [answer.headers['retry-after']].flat()[0] } as const;
          if (body !== undefined) return { ...heard, text: await refusalText(answer) };
          await answer.body.dump({ limit: DUMPED, signal }).catch(() => {}); // Read only to free the line; what it says is not used.
          return heard;
        }
        return await readBody(answer, maxBytes);
      } catch (error) {
        signal.throwIfAborted();
        return failure(error);
      }
    },
    close: async () => agent.destroy(),
  };
}

/** Error bodies up to this size are read to the end so that the connection can be used again. */
const DUMPED = 64 * 1024;

const JSON_TYPE = { 'content-type': 'application/json' };

/** What a refusal says, as far as it can be read; empty where it cannot. */
async function refusalText(answer: Dispatcher.ResponseData): Promise<string> {
  try {
    const heard = await readBody(answer, DUMPED);
    return heard.kind === 'body' ? heard.text : '';
  } catch {
    return ''; // The status alone is an answer.
  }
}

/** Identity is asked for; a server that packs all the same is unpacked. */
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

/** All of a stream. It is counted as it comes, after unpacking, so neither a flood nor a packed bomb gets further than the limit. */
async function collect(stream: AsyncIterable<unknown>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a body is bytes');
    size += chunk.byteLength;
    // Leaving the loop destroys the stream, so the rest is never received.
    if (size > maxBytes) throw new errors.ResponseExceededMaxSizeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Only the code is kept: a client library's error may carry bytes of the answer or options of the request. */
function failure(error: unknown): TransportResponse {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no code';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return { kind: 'oversize' };
  if (/^(Z_|ERR_(_ERROR_)?(BROTLI|ZSTD))/.test(code)) return { kind: 'garbled' };
  return { kind: 'broken', code };
}
