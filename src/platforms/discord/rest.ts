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
  /** The path after the API version, such as `/channels/1/messages`. */
  readonly path: `/${string}`;
  readonly body?: unknown;
  /** Files in the order of the attachment numbers in the body. */
  readonly files?: readonly Upload[];
  readonly query?: Readonly<Record<string, string>>;
  /** False for interactions, which have their token in the path. */
  readonly auth?: boolean;
  readonly deadlineMs?: number;
  /** True if the caller already has a slot of the rate limiter. */
  readonly hasSlot?: boolean;
}

/** Rejects with the library's errors, or with a `LateError` after the deadline. */
export type RestCall = (request: RestRequest) => Promise<unknown>;

export interface RestDeps {
  readonly token: string;
  /** The API's URL without the version. */
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** The value is in milliseconds. A longer rate limit rejects at once. */
  readonly patienceMs: number;
  readonly limiter?: Limiter;
  readonly perSecond?: number;
  /** Called directly before each request. If undefined, the process may always send. */
  readonly isActive?: (() => boolean) | undefined;
  /** Called with the `Date` header of each response. */
  readonly onDate?: ((header: string | undefined) => void) | undefined;
}

/** Thrown before anything is sent. */
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

/** The time is in milliseconds of real time, because an injected clock may stand still. */
const BACKSTOP = 120_000;

export function openRest(deps: RestDeps): { readonly call: RestCall; close(): void } {
  const { token, apiUrl, clock, deadlineMs, patienceMs, limiter, perSecond = DEFAULT_PER_SECOND, isActive = () => true, onDate } = deps;
  const rest = new REST({
    api: apiUrl,
    // A retry by the library could post twice, and would hide an unclear first try.
    retries: 0,
    timeout: BACKSTOP,
    globalRequestsPerSecond: perSecond,
    // Checked here because the library may have waited before it calls this.
    makeRequest: async (url, init) => {
      if (!isActive()) throw new InactiveError('another process of the bot is active');
      const answer = DefaultRestOptions.makeRequest(url, init).then((response) => {
        onDate?.(response.headers.get('date') ?? undefined);
        return response;
      });
      // Ends at the abort, because the library's queue for this route would wait for the response.
      return init.signal === undefined || init.signal === null ? answer : unlessAborted(init.signal, answer);
    },
    rejectOnRateLimit({ global, timeToReset, retryAfter, sublimitTimeout }) {
      // One response could make the library refuse all requests for a long time, so the pause is capped.
      // oxlint-disable-next-line no-restricted-properties -- the library compares it with the machine's own clock
      if (global && timeToReset > MAX_GLOBAL_PAUSE) rest.globalReset = Date.now() + MAX_GLOBAL_PAUSE;
      return Math.max(timeToReset, retryAfter, sublimitTimeout) > patienceMs;
    },
  });
  return {
    async call({ method, path, body, files = [], query, auth = true, deadlineMs: own, hasSlot = false }) {
      // Requests with an interaction token do not count against the bot's limit.
      const slot = auth && !hasSlot ? await limiter?.take({ chat: CALLS, kind: 'answer' }) : undefined;
      // The library forgets the token after a 401.
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

/** Builds the form ourselves, because the library's fails with another undici as global dispatcher. */
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
