/** A Redis connection that is replaced if the server does not answer in time. */
import KeyvRedis, { createClient } from '@keyv/redis';
import { Keyv } from 'keyv';
import { z } from 'zod';
import { backoff } from '../base/backoff.js';
import { NAMESPACE, type Script } from './redis-scripts.js';
import { StoreError, type StoreTrouble } from './store.js';
import { plainTexts } from './backend.js';

export interface ScriptCall {
  readonly keys: readonly string[];
  readonly given: readonly (string | number)[];
}

const CONNECT_MS = 2_000;
const PAUSE = { first: 50, most: 500 };

/** A replaceable connection. All methods reject with a `StoreError`, after `withinMs` at the latest. */
export class RedisConnection {
  readonly #url: string;
  readonly #place: string;
  readonly #errors: LastError = {};
  #current: Attachment;
  #isClosed = false;

  /** `place` names the server in error messages. */
  constructor(url: string, place: string) {
    this.#url = url;
    this.#place = place;
    this.#current = this.#fresh();
  }

  async get(key: string, withinMs: number): Promise<string | undefined> {
    return this.#within(withinMs, async ({ keyv }) => keyv.get(key));
  }

  async command(words: readonly [string, ...string[]], withinMs: number): Promise<unknown> {
    return this.#within(withinMs, async ({ client }) => client.sendCommand<unknown>([...words]));
  }

  async run({ text, sha }: Script, { keys, given }: ScriptCall, withinMs: number): Promise<unknown> {
    return this.#within(withinMs, async ({ client }): Promise<unknown> => {
      const rest = [String(keys.length), ...keys, ...given.map(String)];
      try {
        return await client.sendCommand<unknown>(['EVALSHA', sha, ...rest]);
      } catch (error) {
        if (!isMissingScript.safeParse(error).success) throw error;
        return client.sendCommand<unknown>(['EVAL', text, ...rest]);
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#current.end();
  }

  async #within<T>(withinMs: number, work: (attachment: Attachment) => Promise<T>): Promise<T> {
    const own = this.#current;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.#replace(own);
        reject(new StoreError('unreachable', `store: Redis at ${this.#place} did not answer in time; see its log and its load`));
      }, withinMs);
    });
    const worked = this.#work(own, work);
    try {
      return await Promise.race([worked, late]);
    } catch (error) {
      throw redisFailure(this.#place, error);
    } finally {
      clearTimeout(timer);
      worked.catch(() => {}); // The deadline passed first, so nobody handles this rejection.
    }
  }

  async #work<T>(own: Attachment, work: (attachment: Attachment) => Promise<T>): Promise<T> {
    await own.connect().catch((error: unknown) => {
      // A client that never connected cannot be used again.
      if (!own.client.isReady && !own.wasConnected) this.#replace(own);
      throw error;
    });
    return work(own);
  }

  /** Replaces the client. Its requests under way reject. */
  #replace(old: Attachment): void {
    if (this.#current !== old || this.#isClosed) return;
    this.#current = this.#fresh();
    old.end();
  }

  #fresh(): Attachment {
    return new Attachment({ url: this.#url, place: this.#place, errors: this.#errors });
  }
}

/** The server's last error, kept when the client is replaced. */
interface LastError {
  last?: unknown;
}

/** A client, with Keyv on it, until it is replaced. */
class Attachment {
  readonly client: ReturnType<typeof createClient>;
  readonly keyv: Keyv<string>;
  readonly #place: string;
  readonly #errors: LastError;
  #wasConnected = false;
  #connecting: Promise<void> | undefined;

  constructor({ url, place, errors }: { readonly url: string; readonly place: string; readonly errors: LastError }) {
    this.#place = place;
    this.#errors = errors;
    this.client = createClient({
      url,
      name: 'navwatch',
      // A queued command would be sent long after its caller got an error.
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_MS,
        // The first connection fails at once for a wrong address or password. A later one is retried until it succeeds.
        reconnectStrategy: (retries, cause) => (this.#wasConnected ? backoff(PAUSE, retries + 1) : cause),
      },
    });
    this.client.on('error', (error: unknown) => {
      this.#errors.last = error;
    });
    const adapter = new KeyvRedis<string>(this.client, { namespace: NAMESPACE, throwOnErrors: true });
    // Without a listener the `error` event would end the process. Calls reject by themselves.
    adapter.on('error', () => {});
    this.keyv = new Keyv<string>({ ...plainTexts, namespace: NAMESPACE, store: adapter });
  }

  get wasConnected(): boolean {
    return this.#wasConnected;
  }

  async connect(): Promise<void> {
    this.#connecting ??= this.client.connect().then(() => {
      this.#wasConnected = true;
    });
    await this.#connecting;
    if (this.client.isReady) return;
    throw redisFailure(this.#place, this.#errors.last ?? new Error('the connection was lost'));
  }

  end(): void {
    if (this.client.isOpen) this.client.destroy();
  }
}

const isMissingScript = z.object({ message: z.string().startsWith('NOSCRIPT') });

// https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
type Explain = readonly [trouble: StoreTrouble, sentence: (place: string, why: string) => string];

const denied: Explain = [
  'denied',
  (place, why) => `Redis at ${place} refuses this user or password (${why}); correct them in STORE_URL, or see ACL LIST in Redis`,
];
const notReady: Explain = [
  'unreachable',
  (place, why) => `Redis at ${place} cannot answer now (${why}); wait until it has started, or see its log`,
];

const explained: Readonly<Record<string, Explain>> = {
  WRONGPASS: denied,
  NOAUTH: denied,
  NOPERM: [
    'denied',
    (place) =>
      `Redis at ${place} does not let this user do what Navwatch needs; allow it +@read +@write +@scripting +@connection, and +config|get, +info`,
  ],
  LOADING: notReady,
  BUSY: notReady,
  MASTERDOWN: notReady,
  TRYAGAIN: notReady,
  OOM: ['full', (place) => `Redis at ${place} has reached its maxmemory; raise it, or free memory (what was stored before is safe)`],
  MISCONF: [
    'full',
    (place) => `Redis at ${place} cannot write to its disk; free some space on it, see its log (what was stored before is safe)`,
  ],
  READONLY: ['read-only', (place) => `Redis at ${place} is a replica; name the master in STORE_URL`],
  MOVED: ['failed', (place) => `Redis at ${place} is part of a cluster, which Navwatch does not use; name a single server in STORE_URL`],
};
const cluster = explained['MOVED'];

const failing: Explain = ['failed', (place, why) => `Redis at ${place} failed (${why}); see its log, then start again`];
const away: Explain = [
  'unreachable',
  (place, why) => `Redis at ${place} cannot be reached (${why}); start it, or correct the host and port in STORE_URL`,
];

/** Errors with the code `ERR`, which only the text distinguishes. */
const WORDED: readonly (readonly [RegExp, Explain])[] = [
  [
    /DB index is out of range|SELECT is not allowed/u,
    ['failed', (place) => `Redis at ${place} has no database of that number; correct it in STORE_URL (usually 0 to 15)`],
  ],
  [/AUTH|invalid password/u, denied],
  [
    /max number of clients/u,
    ['unreachable', (place) => `Redis at ${place} has no connection left; raise its maxclients, or end other programs`],
  ],
  [/cluster support/u, cluster ?? failing],
];

const coded = z.object({ code: z.string() });
const MAX_WHY = 120;

function explanationOf(message: string): Explain {
  const [, word] = /^([A-Z]+)(?: |$)/u.exec(message) ?? [];
  if (word === undefined) return away;
  return explained[word] ?? (word === 'ERR' ? WORDED.find(([words]) => words.test(message))?.[1] : undefined) ?? failing;
}

/** Converts an error into a `StoreError`. A `StoreError` passes unchanged. */
export function redisFailure(place: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : 'an unknown error';
  const [trouble, sentence] = explanationOf(message);
  const why = coded.safeParse(error).data?.code ?? message.slice(0, MAX_WHY);
  return new StoreError(trouble, `store: ${sentence(place, why)}`, { cause: new Error(message) });
}
