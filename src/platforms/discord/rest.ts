/** Calls Discord's REST API with a deadline and no hidden retries. */
import { DefaultRestOptions, RequestMethod, REST } from 'discord.js';
import { MINUTE, type Clock } from '../../base/clock.js';
import { unlessAborted, withDeadline } from '../../base/deadline.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Upload } from '../attachments.js';
import type { Limiter } from '../limiter/limiter.js';
import { DEFAULT_PER_SECOND } from './application.js';

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** It begins below the version: `/channels/1/messages`. */
  readonly path: `/${string}`;
  readonly body?: unknown;
  /** The files are in the order in which the body numbers its attachments. */
  readonly files?: readonly Upload[];
  readonly query?: Readonly<Record<string, string>>;
  /** Interactions carry a token in the path. */
  readonly auth?: boolean;
  /** Milliseconds. */
  readonly deadlineMs?: number;
  /** The caller has a slot of the rate limiter. */
  readonly hasSlot?: boolean;
}

/** Rejects with the library's errors, past the deadline with a `LateError`. */
export type RestCall = (request: RestRequest) => Promise<unknown>;

export interface RestDeps {
  readonly token: string;
  /** The address lacks the version. */
  readonly apiUrl: string;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly deadlineMs: number;
  /** Milliseconds. A longer rate limit rejects at once. */
  readonly patienceMs: number;
  readonly limiter?: Limiter;
  readonly perSecond?: number;
  /** Tells whether the process may still send, asked directly before each request. By default it may. */
  readonly isActive?: (() => boolean) | undefined;
  /** Gets the `Date` header of each response. */
  readonly onDate?: ((header: string | undefined) => void) | undefined;
}

/** It is thrown before anything is sent. */
class InactiveError extends Error {
  override readonly name = 'InactiveError';
  readonly code = 'NOT_ACTIVE';
}

const METHODS = {
  GET: RequestMethod.Get,
  POST: RequestMethod.Post,
  PUT: RequestMethod.Put,
  PATCH: RequestMethod.Patch,
  DELETE: RequestMethod.Delete,
} as const satisfies Record<RestRequest['method'], RequestMethod>;

const CALLS = 'calls';

const MAX_GLOBAL_PAUSE = 5 * MINUTE;

/** Real time: an injected clock may stop. */
const BACKSTOP = 120_000;

export function openRest(deps: RestDeps): { readonly call: RestCall; close(): void } {
  const { token, apiUrl, clock, deadlineMs, patienceMs, limiter, perSecond = DEFAULT_PER_SECOND, isActive = () => true, onDate } = deps;
  const rest = new REST({
    api: apiUrl,
    // A retry by the library could post twice, and would hide that the first try is unclear.
    retries: 0,
    timeout: BACKSTOP,
    globalRequestsPerSecond: perSecond,
    // It is asked after every wait of the library.
    makeRequest: async (url, init) => {
      if (!isActive()) throw new InactiveError('another process of the bot is active');
      const answer = DefaultRestOptions.makeRequest(url, init).then((response) => {
        onDate?.(response.headers.get('date') ?? undefined);
        return response;
      });
      // The library's queue of this route waits for it.
      return init.signal === undefined || init.signal === null ? answer : unlessAborted(init.signal, answer);
    },
    rejectOnRateLimit({ global, timeToReset, retryAfter, sublimitTimeout }) {
      // The library would refuse every request for as long as one answer said.
      // oxlint-disable-next-line no-restricted-properties -- the library compares it with the machine's own clock
      if (global && timeToReset > MAX_GLOBAL_PAUSE) rest.globalReset = Date.now() + MAX_GLOBAL_PAUSE;
      return Math.max(timeToReset, retryAfter, sublimitTimeout) > patienceMs;
    },
  });
  return {
    async call({ method, path, body, files = [], query, auth = true, deadlineMs: own, hasSlot = false }) {
      // Interactions have their own token and do not count.
      const slot = auth && !hasSlot ? await limiter?.take({ chat: CALLS, kind: 'answer' }) : undefined;
      // The library drops the token after a 401.
      rest.setToken(token);
      return withDeadline({ clock, milliseconds: own ?? deadlineMs }, async (signal) =>
        rest.request(
          omitUndefined({
            method: METHODS[method],
            fullRoute: path,
            auth,
            signal,
            ...(files.length === 0 ? { body } : await multipart(body, files)),
            query: query && new URLSearchParams(query),
          }),
        ),
      ).finally(() => slot?.answered());
    },
    close() {
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    },
  };
}

/** The library's form fails with another undici as global dispatcher. */
async function multipart(body: unknown, files: readonly Upload[]) {
  const form = new FormData();
  for (const [index, { name, type, bytes }] of files.entries())
    form.append(`files[${index}]`, new Blob([new Uint8Array(bytes)], { type }), name);
  if (body !== undefined) form.append('payload_json', JSON.stringify(body));
  const encoded = new Response(form);
  return {
    body: new Uint8Array(await encoded.arrayBuffer()),
    passThroughBody: true,
    headers: { 'Content-Type': encoded.headers.get('content-type') ?? '' },
  };
}
