/** One HTTP request by Node: grammY's client hides statuses without JSON. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SECOND } from '../../base/clock.js';

export interface HttpRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Before servers close them, which looks like a failure. */
const LINE = { keepAlive: true, timeout: 4 * SECOND } as const;
const http = new HttpAgent(LINE);
const https = new HttpsAgent(LINE);

const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Rejects with the connection's error, or when `signal` aborts. */
export async function exchange(url: string, { method = 'GET', headers = {}, body, signal }: HttpRequest): Promise<HttpAnswer> {
  const isText = typeof body === 'string';
  const length = isText ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const options = { method, headers: { ...headers, ...length }, signal };
  const request = url.startsWith('https:')
    ? httpsRequest(url, { ...options, agent: https })
    : httpRequest(url, { ...options, agent: http });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  if (body === undefined || isText) request.end(body);
  // What goes wrong with the sending is an error of the request, which the answer waits for.
  else pipeline(Readable.from(body), request).catch(() => undefined);
  const answer = await answered;
  return { status: answer.statusCode ?? 0, text: await textOf(answer) };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8');
  let text = '';
  for await (const piece of answer) {
    text += String(piece);
    if (text.length > MAX_CHARACTERS) throw new Error('the answer is too long');
  }
  return text;
}
