/** Calls to Discord's REST interface through the library's client: one deadline a call, and no retries or waits that the caller cannot see. */
import { REST, RequestMethod } from 'discord.js';
import type { Clock } from '../../base/clock.js';
import type { Upload } from '../attachments.js';
import type { Limiter } from '../limiter/limiter.js';
import { DEFAULT_PER_SECOND } from './rates.js';

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the version: `/channels/1/messages`. */
  readonly path: `/${string}`;
  readonly body?: unknown;
  /** Go with the body, in the order in which its attachments number them. */
  readonly files?: readonly Upload[];
  readonly query?: Readonly<Record<string, string>>;
  /** False for interactions, which carry a token of their own in the path. */
  readonly auth?: boolean;
  /** Where the usual one is too long, in milliseconds. */
  readonly deadlineMs?: number;
  /** Whoever calls has taken a slot in the limits. */
  readonly hasSlot?: boolean;
}

/** Resolves with the parsed answer; rejects with the library's errors, and with an `AbortError` past the deadline. */
export type RestCall = (request: RestRequest) => Promise<unknown>;

export interface RestDeps {
  readonly token: string;
  /** Without the version, which the library adds. */
  readonly apiUrl: string;
  readonly clock: Clock;
  /** How long a call may take, in milliseconds. */
  readonly deadlineMs: number;
  /** Waits for a rate limit up to so many milliseconds are sat out; a longer one rejects at once. */
  readonly patienceMs: number;
  /** Absent: nothing is limited but by the library. */
  readonly limiter?: Limiter;
  /** What the library allows the token. */
  readonly perSecond?: number;
}

const METHODS = {
  GET: RequestMethod.Get,
  POST: RequestMethod.Post,
  PUT: RequestMethod.Put,
  PATCH: RequestMethod.Patch,
  DELETE: RequestMethod.Delete,
} as const satisfies Record<RestRequest['method'], RequestMethod>;

/** What is no message of an alert stands in line under this name. */
const CALLS = 'calls';

/** Real time, which the library measures: far behind our own deadline, should that clock stand still. */
const BACKSTOP = 120_000;

export function openRest({ token, apiUrl, clock, deadlineMs, patienceMs, limiter, perSecond = DEFAULT_PER_SECOND }: RestDeps): {
  readonly call: RestCall;
  close(): void;
} {
  const rest = new REST({
    api: apiUrl,
    // A repeat that the library makes by itself could post twice, and would hide that the first try was unclear.
    retries: 0,
    timeout: BACKSTOP,
    globalRequestsPerSecond: perSecond,
    rejectOnRateLimit: ({ timeToReset, retryAfter, sublimitTimeout }) => Math.max(timeToReset, retryAfter, sublimitTimeout) > patienceMs,
  });
  return {
    async call({ method, path, body, files = [], query, auth = true, deadlineMs: own, hasSlot = false }) {
      // Interactions carry a token of their own, and do not count.
      const slot = auth && !hasSlot ? await limiter?.take({ chat: CALLS, kind: 'answer' }) : undefined;
      // The library forgets the token at the first 401.
      rest.setToken(token);
      return within({ clock, milliseconds: own ?? deadlineMs }, async (signal) =>
        rest.request({
          method: METHODS[method],
          fullRoute: path,
          auth,
          signal,
          ...(body === undefined ? {} : { body }),
          ...(files.length === 0 ? {} : { files: files.map(({ name, type, bytes }) => ({ name, contentType: type, data: bytes })) }),
          ...(query === undefined ? {} : { query: new URLSearchParams(query) }),
        }),
      ).finally(() => slot?.answered());
    },
    close() {
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    },
  };
}

/** Aborts `work` when the time is over. */
async function within<T>(
  { clock, milliseconds }: { clock: Clock; milliseconds: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(milliseconds, done.signal).then(
    () => late.abort(),
    () => undefined,
  );
  try {
    return await work(late.signal);
  } finally {
    done.abort();
  }
}
