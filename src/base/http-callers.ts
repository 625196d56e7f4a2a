/** Recognises who sends a request: the operator, a program or browser on this machine, or somebody else. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { RecentMap } from './bounded-cache.js';
import { DAY, later, MINUTE, type Clock, type Instant } from './clock.js';
import { isLoopbackName } from './http.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/u;
/** Headers that proxies and tunnels add. A request with one of them comes from elsewhere, whatever its value. */
const FORWARDED =
  /^(via|forwarded|x-forwarded(-.+)?|x-(real|client|cluster-client|original-forwarded|proxyuser)-(ip|for)|x-original-.+|x-envoy-.+|x-amzn-trace-id|true-client-ip|fastly-client-ip|cf-.+|cdn-loop|tailscale-.+)$/u;

/** Tells whether a request is from this machine. A local proxy that adds no header cannot be recognised. With `isPortLocal` only this machine reaches the port. */
export function isThisMachine(c: Context, { isPortLocal = false } = {}): boolean {
  const names = Object.keys(c.req.header());
  if (names.some((name) => FORWARDED.test(name)) || !isLoopbackName(c.req.header('host'))) return false;
  return isPortLocal || LOOPBACK.test(getConnInfo(c).remote.address ?? '');
}

const COOKIE = 'navwatch-console';
const LOGGED_IN_FOR = 30 * DAY;
const CODE_VALID_FOR = 10 * MINUTE;
/** The most valid codes. Each was printed on the operator's terminal. */
const MAX_CODES = 20;

/** Recognises the operator by a bearer token or a login cookie. Changing the token ends every login. */
export class OperatorLogin {
  readonly #token: string | undefined;
  readonly #clock: Clock;
  /**
   * The time at which each code was given, by the hash of the code. Kept in memory, so that no code can be used twice whatever happens to the
   * store.
   */
  readonly #codes = new RecentMap<string, Instant>(MAX_CODES);

  /** If there is no token, nobody is the operator. */
  constructor({ token, clock }: { readonly token: string | undefined; readonly clock: Clock }) {
    this.#token = token;
    this.#clock = clock;
  }

  isOperator(c: Context): boolean {
    const bearer = /^Bearer (.+)$/iu.exec(c.req.header('authorization') ?? '')?.[1];
    return (bearer !== undefined && this.#isToken(bearer)) || this.#isTicket(getCookie(c, COOKIE));
  }

  /** Returns a code that logs in one browser within ten minutes. */
  giveCode(): string {
    const code = randomBytes(32).toString('base64url');
    this.#codes.set(hashOf(code), this.#clock.now());
    return code;
  }

  /** Sets the cookie if the text is the token or a code, and uses the code up. Returns false if it is neither. */
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

  /** Signs a cookie. The token itself would leak, because browsers send cookies to every port of a host. */
  #sign(until: number): string {
    // Without a token a random key is used, so that no signature is valid.
    return createHmac('sha256', this.#token ?? randomBytes(32))
      .update(`console cookie ${until}`)
      .digest('base64url');
  }
}

/** Tells whether the browser or a proxy uses TLS. Without it the browser would drop a secure cookie. */
const isEncrypted = ({ req }: Context): boolean =>
  req.header('origin')?.startsWith('https:') === true ||
  /^https\b/iu.test(req.header('x-forwarded-proto') ?? '') ||
  /\bproto="?https\b/iu.test(req.header('forwarded') ?? '');

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex');

/** Compares digests, because their timing reveals neither content nor length. */
const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
