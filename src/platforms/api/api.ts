/** The routes for programs: the HTTP API, MCP, calendars and feeds. See docs/api.md. */
import { Hono, type Context, type ErrorHandler, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Clock } from '../../base/clock.js';
import type { Routes } from '../../base/http.js';
import { parsedUrl } from '../../base/parsed-url.js';
import { either } from '../../base/sentence-lists.js';
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import type { Catalogue } from '../../chat/catalogue.js';
import type { ChatData } from '../../chat/chat-data.js';
import type { OperatorPage } from '../../chat/platform.js';
import type { DataOwner } from '../../chat/privacy.js';
import type { Panel } from '../../chat/status-strip.js';
import { StoreError, remedyOf, type Store } from '../../store/store.js';
import type { FeedTokens } from './feed-tokens.js';
import { Feeds, feedRoutes } from './feeds.js';
import { ApiKeys, type ApiKey } from './keys.js';
import { keysApi, keysPage } from './keys-api.js';
import { mcpRoutes } from './mcp-routes.js';
import { BASE, docsPage, openapiDocument } from './openapi.js';
import { OPERATIONS } from './operations.js';
import { Problem, problemResponse } from './problems.js';
import { ApiQuestions, type QuestionsDeps } from './questions.js';
import { v1 } from './v1.js';

export interface ApiDeps extends QuestionsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly catalogue: Catalogue;
  readonly panel: Panel;
  readonly data: ChatData;
  readonly tokens: FeedTokens;
  /** If false, no route answers, even to valid keys. */
  readonly isEnabled: boolean;
  /** The URL at which people and programs reach the bot from outside. */
  readonly publicUrl: string | undefined;
  /** Deletes the data of a key's own chat. */
  readonly forgetChat: (chat: Address) => Promise<void>;
}

export interface Api {
  readonly routes: readonly Routes[];
  readonly page: OperatorPage & { readonly platform: string };
  readonly dataOwner: DataOwner;
}

/** How many requests are answered at once. More are refused, so that a flood costs no memory. */
const MAX_AT_ONCE = 200;

/** How many requests of one key are answered at once, so that no key takes all places. */
const MAX_OF_KEY = 100;

const headers = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: 'no-referrer',
  xFrameOptions: 'DENY',
  strictTransportSecurity: false,
});

/** Creates the API. Rejects with the store's error. */
export async function createApi(deps: ApiDeps): Promise<Api> {
  const { store, clock, log, catalogue, panel, data, tokens, isEnabled, publicUrl, forgetChat } = deps;
  const keys = await ApiKeys.open({ store, clock });
  const questions = new ApiQuestions(deps);
  const keyOf = authenticator(keys, log);
  const isOn = (): boolean => isEnabled && !keys.isEmpty();
  const api = new Hono();
  for (const path of ['/api/openapi.json', '/api/docs']) api.use(path, headers, bounded(), onlyIf(isOn), ownSite);
  // The key is checked before the request counts as running and before its body is read.
  for (const path of [`${BASE}/*`, '/mcp']) api.use(path, headers, onlyIf(isOn), ownSite, boundedByKey(keyOf));
  api.onError(problems(log));
  api.route(BASE, v1({ questions, data, catalogue, panel, keyOf }));
  api.all(`${BASE}/*`, (c) => {
    keyOf(c);
    const methods = OPERATIONS.flatMap(({ method, path }) => (`${BASE}${path}` === c.req.path ? [method.toUpperCase()] : []));
    if (methods.length > 0) refuseMethod(c, methods);
    throw new Problem('not-found', 'There is nothing at this address. /api/docs lists what there is.');
  });
  let document: string | undefined;
  api.get('/api/openapi.json', (c) =>
    c.body((document ??= JSON.stringify(openapiDocument())), 200, { 'Content-Type': 'application/json' }),
  );
  api.get('/api/docs', async (c) => c.html(docsPage()));
  for (const path of ['/api/openapi.json', '/api/docs']) api.all(path, (c) => refuseMethod(c, ['GET']));
  api.route('/mcp', mcpRoutes({ questions, data, catalogue, keyOf }));
  const feeds = new Feeds({ data, store, clock, publicUrl });
  const published = new Hono();
  published.use('/feeds/*', headers, bounded());
  published.onError(problems(log));
  published.route('/feeds', feedRoutes({ feeds, tokens, isEnabled }));
  return {
    routes: [
      { path: '/', app: api },
      { path: '/', app: published },
    ],
    page: { platform: 'api', title: 'API keys', files: keysPage(), api: keysApi({ keys, log, data, isEnabled, forgetChat }) },
    dataOwner: dataOwner({ keys, tokens, feeds }),
  };
}

/** Returns the key of a request and counts the request once against its rate. Throws a `Problem`. */
function authenticator(keys: ApiKeys, log: Log): (c: Context) => ApiKey {
  const found = new WeakMap<Request, ApiKey>();
  return (c) => {
    const known = found.get(c.req.raw);
    if (known !== undefined) return known;
    const bearer = /^Bearer (\S{1,200})$/iu.exec(c.req.header('authorization') ?? '')?.[1];
    const key = bearer === undefined ? undefined : keys.find(bearer);
    if (key === undefined)
      throw new Problem('unauthorized', 'Send a valid key as "Authorization: Bearer". The operator creates keys on the page "API keys".');
    const taken = keys.take(key);
    if (taken !== 'permitted')
      throw new Problem('rate-limited', `This key asks too fast. Wait ${taken} s, then ask less often.`, { retryAfter: taken });
    found.set(c.req.raw, key);
    keys.used(key.id).catch((error: unknown) => log.warn('api.use-not-written', { key: key.id, error }));
    return key;
  };
}

/** Throws a `Problem` and names the allowed methods. GET includes HEAD. */
function refuseMethod(c: Context, methods: readonly string[]): never {
  c.header('Allow', methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', '));
  throw new Problem('wrong-method', `Send ${either(methods)} to this address. /api/docs lists what there is.`);
}

function bounded(): MiddlewareHandler {
  let underWay = 0;
  return async (_, next) => {
    if (underWay >= MAX_AT_ONCE) throw new Problem('busy', 'The bot answers many requests at the moment.', { retryAfter: 1 });
    underWay += 1;
    try {
      return await next();
    } finally {
      underWay -= 1;
    }
  };
}

function boundedByKey(keyOf: (c: Context) => ApiKey): MiddlewareHandler {
  const underWay = new Map<string, number>();
  return async (c, next) => {
    const { id } = keyOf(c);
    const others = underWay.get(id) ?? 0;
    if (others >= MAX_OF_KEY)
      throw new Problem('busy', 'This key has many requests under way. Wait for their answers, then ask again.', { retryAfter: 1 });
    underWay.set(id, others + 1);
    try {
      return await next();
    } finally {
      const left = (underWay.get(id) ?? 1) - 1;
      if (left === 0) underWay.delete(id);
      else underWay.set(id, left);
    }
  };
}

const onlyIf =
  (isOn: () => boolean): MiddlewareHandler =>
  async (_, next) => {
    if (!isOn()) throw new Problem('off', 'The API is off until the operator creates a key, and where the settings say API=false.');
    return next();
  };

/** Refuses requests from pages of other sites. No CORS header is ever sent. */
const ownSite: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header('origin');
  const host = c.req.header('host') ?? '';
  const isOwn = origin === undefined || (parsedUrl(origin)?.host === parsedUrl(`http://${host}`)?.host && host !== '');
  if (!isOwn) throw new Problem('other-site', 'Call the API from a program, not from a web page of another site.');
  return next();
};

/** Logs errors without the path, because the path of a feed contains its secret. */
const problems =
  (log: Log): ErrorHandler =>
  (error, c) => {
    if (error instanceof Problem) return problemResponse(c, error);
    // The client closed the connection during the request, which is not an error of the bot.
    if (c.req.raw.signal.aborted || isAborted(error))
      return problemResponse(c, new Problem('invalid', 'The request ended before its body.'));
    log.error('api.request-failed', { error });
    const remedy = error instanceof StoreError ? remedyOf(error) : 'The log says why. Try again in a minute.';
    return problemResponse(c, new Problem('failed', `Nothing was read or saved. ${remedy}`));
  };

const isAborted = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ECONNRESET';

interface Kept {
  readonly keys: ApiKeys;
  readonly tokens: FeedTokens;
  readonly feeds: Feeds;
}

const dataOwner = ({ keys, tokens, feeds }: Kept): DataOwner => ({
  async kept(chat) {
    const count = keys.forChat(chat).length;
    const addresses = Object.keys(tokens.of(chat)).length;
    return [
      ...(count === 0 ? [] : [`${count === 1 ? '1 API key' : `${count} API keys`} for this chat; only the hash of the key is stored`]),
      ...(addresses === 0
        ? []
        : [`${addresses === 1 ? 'a secret address' : `${addresses} secret addresses`} of its calendar or feed; only the hash is stored`]),
    ];
  },
  async forgetChat(chat) {
    for (const { id } of keys.forChat(chat)) await keys.revoke(id);
    await tokens.forget(chat);
    await feeds.forget(chat);
  },
});
