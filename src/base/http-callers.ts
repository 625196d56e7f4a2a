/** Who sends a request: the operator, a program or browser on this machine, or somebody else. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { RecentMap } from './bounded-cache.js';
import { DAY, later, MINUTE, type Clock, type Instant } from './clock.js';
import { isLoopbackName } from './http.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/u;
/** What proxies, tunnels and networks before a server add. One of them says that the request comes from elsewhere, whatever its value. */
const FORWARDED =
  /^(via|forwarded|x-forwarded(-.+)?|x-(real|client|cluster-client|original-forwarded|proxyuser)-(ip|for)|x-original-.+|x-envoy-.+|x-amzn-trace-id|true-client-ip|fastly-client-ip|cf-.+|cdn-loop|tailscale-.+)$/u;

/** Tells whether a request is from this machine, as far as can be seen: a proxy on this machine that adds no header looks the same. With `isPortLocal` only this machine reaches the port. */
export function isThisMachine(c: Context, { isPortLocal = false } = {}): boolean {
  const names = Object.keys(c.req.header());
  if (names.some((name) => FORWARDED.test(name)) || !isLoopbackName(c.req.header('host'))) return false;
  return isPortLocal || LOOPBACK.test(getConnInfo(c).remote.address ?? '');
}

const COOKIE = 'navwatch-console';
const LOGGED_IN_FOR = 30 * DAY;
const CODE_VALID_FOR = 10 * MINUTE;
/** Each is a line on the operator's terminal. */
const MAX_CODES = 20;

/** Recognises the operator by the token, as a bearer, or by the cookie of a login. Another token ends every login. */
export class OperatorLogin {
  readonly #token: string | undefined;
  readonly #clock: Clock;
  /**
   * The key is the hash of a code, the value when it was given. They are in memory, so that a code is used once whatever happens to the
   * store.
   */
  readonly #codes = new RecentMap<string, Instant>(MAX_CODES);

  /** Without a token nobody is the operator. */
  constructor({ token, clock }: { readonly token: string | undefined; readonly clock: Clock }) {
    this.#token = token;
    this.#clock = clock;
  }

  isOperator(c: Context): boolean {
    const bearer = /^Bearer (.+)$/iu.exec(c.req.header('authorization') ?? '')?.[1];
    return (bearer !== undefined && this.#isToken(bearer)) || this.#isTicket(getCookie(c, COOKIE));
  }

  /** A code that logs one browser in, within ten minutes. */
  giveCode(): string {
    const code = randomBytes(32).toString('base64url');
    this.#codes.set(hashOf(code), this.#clock.now());
    return code;
  }

  /** Sets the cookie for the token or for a code, which is used up. False: it is neither. */
  logIn(c: Context, given: string): boolean {
    const isKnown = this.#isToken(given) || this.#takeCode(given);
    if (!isKnown) return false;
    const until = later(this.#clock.now(), LOGGED_IN_FOR);
    const limits = { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: LOGGED_IN_FOR / 1000, secure: isEncrypted(c) } as const;
    setCookie(c, COOKIE, `${until}.${this.#sign(until)}`, limits);
    return true;
  }

  #isToken(given: string): boolean {
    return this.#token !== undefined && isSameSecret(given, this.#token);
  }

  #takeCode(given: string): boolean {
    const hash = hashOf(given);
    const givenAt = this.#codes.get(hash);
    this.#codes.delete(hash);
    const now = this.#clock.now();
    return givenAt !== undefined && now >= givenAt && now < later(givenAt, CODE_VALID_FOR);
  }

  #isTicket(cookie: string | undefined): boolean {
    const [, until = '', signature = ''] = /^(\d{1,16})\.(.+)$/u.exec(cookie ?? '') ?? [];
    return signature !== '' && isSameSecret(signature, this.#sign(Number(until))) && this.#clock.now() < Number(until);
  }

  /** The cookie is not the token, because a browser sends cookies to every port of a host. */
  #sign(until: number): string {
    // Without a token the key is unknown to everybody.
    return createHmac('sha256', this.#token ?? randomBytes(32))
      .update(`console cookie ${until}`)
      .digest('base64url');
  }
}

/** The browser or the proxy says that it speaks TLS. A cookie for TLS only would be lost otherwise. */
const isEncrypted = ({ req }: Context): boolean =>
  req.header('origin')?.startsWith('https:') === true ||
  /^https\b/iu.test(req.header('x-forwarded-proto') ?? '') ||
  /\bproto="?https\b/iu.test(req.header('forwarded') ?? '');

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex');

/** Timing of digests reveals neither content nor length. */
const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
