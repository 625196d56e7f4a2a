/** One POST with Node's client: a connection of its own, no redirects, only allowed addresses. */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { SECOND, type Clock } from '../../base/clock.js';
import { hostOf, isLocalHost } from './endpoint-url.js';
import { isLoopback, isPublic } from './public-address.js';

export type PostResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: string | undefined; readonly date?: string | undefined }
  /** Nothing was sent. */
  | { readonly kind: 'private-address' | 'certificate' | 'unreachable'; readonly detail: string }
  /** Nothing was sent: another process is active. */
  | { readonly kind: 'superseded' }
  /** It may have arrived. */
  | { readonly kind: 'timeout' | 'line-cut' };

export type Resolve = (host: string, options: LookupOptions & { readonly all: true }, done: LookupDone) => void;
type LookupDone = (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void;

export interface PostContext {
  readonly clock: Clock;
  readonly isPrivateAllowed: boolean;
  /** Default: always. */
  readonly isActive?: (() => boolean) | undefined;
  /** Default: the system's. */
  readonly resolve?: Resolve | undefined;
  /** For tests. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
}

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** For everything together. */
const POST_TIMEOUT = 15 * SECOND;
/** Of an answer, which is ignored. */
const MAX_ANSWER = 64 * 1024;

/** The next request checks the name again. */
const AGENTS = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }) };

class PrivateAddressError extends Error {}
class SupersededError extends Error {}

/** Does not reject. */
export async function post(
  { url: address, headers, body }: PostRequest,
  { clock, isPrivateAllowed, isActive = () => true, resolve: resolveName = systemResolve, ca, signal }: PostContext,
): Promise<PostResult> {
  if (!isActive()) return { kind: 'superseded' };
  const url = new URL(address);
  const host = hostOf(url);
  const isAllowed = (ip: string): boolean => isPrivateAllowed || isPublic(ip) || (isLocalHost(host) && isLoopback(ip));
  // Node resolves no name where there is none.
  if (isIP(host) !== 0 && !isAllowed(host)) return { kind: 'private-address', detail: host };

  const deadline = new AbortController();
  const ended = new AbortController();
  let isLate = false;
  clock.sleep(POST_TIMEOUT, ended.signal).then(
    () => {
      isLate = true;
      deadline.abort();
    },
    () => undefined,
  );
  let isSending = false;
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    lookup: checkedLookup(resolveName, { isAllowed, isActive }),
    signal: AbortSignal.any([deadline.signal, signal]),
  };
  const isHttps = url.protocol === 'https:';
  const request = isHttps
    ? httpsRequest(url, { ...options, agent: AGENTS.https, ...(ca === undefined ? {} : { ca }) })
    : httpRequest(url, { ...options, agent: AGENTS.http });
  request.on('socket', (socket) => socket.once(isHttps ? 'secureConnect' : 'connect', () => void (isSending = true)));
  request.once('close', () => ended.abort());
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    // It is emitted again when an answer that nobody reads is cut off.
    request.on('error', reject);
  });
  request.end(body);
  try {
    const answer = await answered;
    discard(answer);
    return {
      kind: 'answered',
      status: answer.statusCode ?? 0,
      retryAfter: answer.headers['retry-after'],
      date: answer.headers.date,
    };
  } catch (error) {
    return failureOf(error, { isLate, isSending });
  }
}

/** A server may wait for that. */
function discard(answer: IncomingMessage): void {
  let left = MAX_ANSWER;
  answer.on('error', () => undefined);
  answer.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) answer.destroy();
  });
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/u;

function failureOf(error: unknown, { isLate, isSending }: { readonly isLate: boolean; readonly isSending: boolean }): PostResult {
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

/** Connects to the addresses checked here, so that a second answer of the name server changes nothing. */
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
      // The name server may have taken its time.
      else if (!isActive()) done(new SupersededError(), '');
      else if (refused !== undefined) done(new PrivateAddressError(refused.address), '');
      else if (first === undefined) done(Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' }), '');
      else if (options.all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });
  };
