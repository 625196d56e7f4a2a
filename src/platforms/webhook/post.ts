/** Sends one POST with Node's client, on a new connection, without redirects, and only to allowed addresses. */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { finished } from 'node:stream/promises';
import { SECOND, type Clock } from '../../base/clock.js';
import { LateError, withDeadline } from '../../base/deadline.js';
import { hostOf, isLocalHost, isLoopback, isPublic } from './endpoint-url.js';

export type PostResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter?: string | undefined;
      readonly date?: string | undefined;
      readonly text?: string | undefined;
    }
  /** Nothing was sent. */
  | { readonly kind: 'private-address' | 'certificate' | 'unreachable'; readonly detail: string }
  /** Nothing was sent: another process is active. */
  | { readonly kind: 'superseded' }
  /** The request may have arrived. */
  | { readonly kind: 'timeout' | 'line-cut' };

export type Resolve = (host: string, options: LookupOptions & { readonly all: true }, done: LookupDone) => void;
type LookupDone = (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void;

export interface PostContext {
  readonly clock: Clock;
  readonly isPrivateAllowed: boolean;
  /** If undefined, the process counts as active. */
  readonly isActive?: (() => boolean) | undefined;
  /** If undefined, the system resolves names. */
  readonly resolve?: Resolve | undefined;
  /** A certificate authority, set by tests. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
}

export interface PostRequest {
  /** POST by default. */
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** True if the body of the response is read, because chat services say more in it than the status. */
  readonly isAnswerRead?: boolean;
}

/** The time until the response's status arrives, and again for reading its body. */
const POST_TIMEOUT = 15 * SECOND;
/** The largest body of a response, in bytes. */
const MAX_ANSWER = 64 * 1024;

/** No connection is reused, so that every request resolves and checks the name again. */
const AGENTS = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }) };

class PrivateAddressError extends Error {}
class SupersededError extends Error {}

/** Never rejects. Settles within the deadline, whatever the receiver does. */
export async function post(
  message: PostRequest,
  { isActive = () => true, resolve = systemResolve, ...context }: PostContext,
): Promise<PostResult> {
  if (!isActive()) return { kind: 'superseded' };
  const { clock, isPrivateAllowed, signal } = context;
  const url = new URL(message.url);
  const host = hostOf(url);
  const isAllowed = (ip: string): boolean => isPrivateAllowed || isPublic(ip) || (isLocalHost(host) && isLoopback(ip));
  // Node does not call `lookup` for an IP address, so it is checked here.
  if (isIP(host) !== 0 && !isAllowed(host)) return { kind: 'private-address', detail: host };

  let isSending = false;
  const lookup = checkedLookup(resolve, { isAllowed, isActive });
  try {
    const answer = await withDeadline({ clock, milliseconds: POST_TIMEOUT, stops: [signal] }, async (ended) => {
      const request = open(url, { ...message, lookup, ca: context.ca });
      request.once('socket', (socket) =>
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => void (isSending = true)),
      );
      return answerTo(request, { body: message.body, ended });
    });
    const text = message.isAnswerRead === true ? await textOf(answer, context) : discard(answer, context);
    return {
      kind: 'answered',
      status: answer.statusCode ?? 0,
      retryAfter: answer.headers['retry-after'],
      date: answer.headers.date,
      text,
    };
  } catch (error) {
    return failureOf(error, isSending);
  }
}

interface Opening extends PostRequest {
  readonly lookup: LookupFunction;
  readonly ca: string | undefined;
}

function open(url: URL, { method = 'POST', headers, body, lookup, ca }: Opening): ClientRequest {
  const options = { method, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, lookup };
  return url.protocol === 'https:'
    ? httpsRequest(url, { ...options, agent: AGENTS.https, ...(ca === undefined ? {} : { ca }) })
    : httpRequest(url, { ...options, agent: AGENTS.http });
}

async function answerTo(
  request: ClientRequest,
  { body, ended }: { readonly body: string; readonly ended: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const answered = (answer: IncomingMessage): void => {
      isAnswered = true;
      resolve(answer);
    };
    request.once('response', answered);
    // Without this listener Node closes an upgraded connection and emits neither a response nor an error.
    request.once('upgrade', (answer, socket) => {
      socket.destroy();
      answered(answer);
    });
    // `on` and not `once`: the error is emitted again when an unread response is cut off.
    request.on('error', reject);
    request.once('close', () => reject(new Error('closed without an answer')));
    ended.addEventListener('abort', () => {
      if (!isAnswered) request.destroy();
    });
    request.end(body);
  });
}

/** Reads the body. Returns undefined if it is too long, cut off or late; the status counts anyway. */
async function textOf(answer: IncomingMessage, { clock, signal }: Pick<PostContext, 'clock' | 'signal'>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let left = MAX_ANSWER;
  answer.on('error', () => undefined);
  answer.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) answer.destroy();
    else chunks.push(chunk);
  });
  try {
    await withDeadline({ clock, milliseconds: POST_TIMEOUT, stops: [signal] }, async () => finished(answer));
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return undefined;
  } finally {
    answer.destroy();
  }
}

/** Reads and drops the body up to a size and time limit, because some servers wait until it is read. */
function discard(answer: IncomingMessage, { clock, signal }: Pick<PostContext, 'clock' | 'signal'>): undefined {
  let left = MAX_ANSWER;
  answer.on('error', () => undefined);
  answer.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) answer.destroy();
  });
  void withDeadline({ clock, milliseconds: POST_TIMEOUT, stops: [signal] }, async () => finished(answer))
    .catch(() => undefined)
    .finally(() => answer.destroy());
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/u;

function failureOf(error: unknown, isSending: boolean): PostResult {
  const isLate = error instanceof LateError;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof SupersededError) return { kind: 'superseded' };
  if (error instanceof PrivateAddressError) return { kind: 'private-address', detail: error.message };
  if (isSending) return { kind: isLate ? 'timeout' : 'line-cut' };
  if (CERTIFICATE.test(code)) return { kind: 'certificate', detail: code };
  return { kind: 'unreachable', detail: isLate ? 'no connection in time' : code || 'no connection' };
}

const systemResolve: Resolve = (host, options, done) => {
  systemLookup(host, options, done);
};

/** A `lookup` that returns the addresses it has checked, so that a second DNS response cannot replace them. */
const checkedLookup =
  (
    resolveName: Resolve,
    { isAllowed, isActive }: { readonly isAllowed: (ip: string) => boolean; readonly isActive: () => boolean },
  ): LookupFunction =>
  (host, options, done) => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      const refused = addresses?.find(({ address }) => !isAllowed(address));
      const [first] = addresses ?? [];
      if (error !== null) done(error, '');
      // Resolving may have taken long, so this is checked again.
      else if (!isActive()) done(new SupersededError(), '');
      else if (refused !== undefined) done(new PrivateAddressError(refused.address), '');
      else if (first === undefined) done(Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' }), '');
      else if (options.all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });
  };
