/** Serves the console, which is a web page and a chat API over HTTP. */
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Clock } from '../../base/clock.js';
import type { OperatorLogin } from '../../base/http-callers.js';
import { guard, type Hosts, type Routes } from '../../base/http.js';
import type { Log } from '../../base/log.js';
import { address, localOf, type Address } from '../../chat/address.js';
import type { Catalogue } from '../../chat/catalogue.js';
import type { Pictures } from '../../chat/chart.js';
import type { Answerer } from '../../chat/inbound.js';
import type { Notifier } from '../../chat/notifier.js';
import type { Operator } from '../../chat/operator-view.js';
import type { OperatorPage } from '../../chat/platform.js';
import type { DataOwner } from '../../chat/privacy.js';
import type { Renderings } from '../../chat/renderings.js';
import type { Panel } from '../../chat/status-strip.js';
import type { WatchedProjects } from '../../chat/watched-projects.js';
import type { Store } from '../../store/store.js';
import { api, errorResponse } from './api.js';
import { MAX_MESSAGES, openConversationLog } from './conversation-log.js';
import { askersOnly, loginRoutes, operatorsOnly, type OpenTo } from './login.js';
import { consoleNotifier } from './notifier.js';
import { operatorApi } from './operator.js';
import { PICTURE_POLICY } from './picture.js';
import { createQuestions } from './questions.js';

export interface ConsoleDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly answer: Answerer;
  readonly catalogue: Catalogue;
  readonly panel: Panel;
  readonly watched: WatchedProjects;
  /** Draws pictures; the caller closes it. If undefined, the page has text only. */
  readonly pictures?: Pictures | undefined;
  readonly renderings: Renderings;
  /** If undefined, the page has no operator view. */
  readonly operator?: Operator | undefined;
  /** The operator pages of other platforms. */
  readonly pages?: readonly (OperatorPage & { readonly platform: string })[];
  readonly login: OperatorLogin;
  /** Who may ask without a login. */
  readonly openTo: OpenTo;
  /** The allowed hosts besides loopback. `any` only if nobody may ask without a login. */
  readonly hosts?: Hosts;
}

export interface Console {
  readonly routes: Routes;
  readonly notifier: Notifier;
  readonly dataOwner: DataOwner;
  /** Returns the default chat and those that have messages. */
  chats(): readonly Address[];
  /** Ends the streams and waits for questions under way. */
  close(): Promise<void>;
}

/** Security headers. The policy blocks inline scripts. */
const headers = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // With "no-referrer" a browser would send the login form with the Origin "null".
  referrerPolicy: 'same-origin',
  xFrameOptions: 'DENY',
  // The operator decides about TLS.
  strictTransportSecurity: false,
});

/** Makes browsers revalidate the page's files, so that an old page does not talk to a newer bot. */
const revalidate: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-cache');
};

const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};

const pictureHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Content-Security-Policy', PICTURE_POLICY);
};

export async function createConsole(deps: ConsoleDeps): Promise<Console> {
  const { store, clock, log, answer, operator, pages = [], login, openTo, hosts = [] } = deps;
  const conversations = await openConversationLog({ store, log });
  const asker = createQuestions({ conversations, answer, clock, log });
  const closing = new AbortController();
  const app = new Hono();
  app.onError(errorResponse(log));
  for (const path of ['/api/chats/:chat/messages/:id/picture', '/api/views/:key/picture']) app.use(path, pictureHeaders);
  // Other modules use the same server, so only the console's own paths are guarded.
  for (const path of ['/', '/operator/*', '/login', '/page/*', '/api/*']) app.use(path, headers, guard(hosts));
  for (const path of ['/', '/api/*']) app.use(path, askersOnly(login, openTo));
  for (const path of ['/operator/*', '/api/operator/*']) app.use(path, noStore, operatorsOnly(login));
  loginRoutes(app, login);
  const root = fileURLToPath(new URL('page', import.meta.url));
  app.get('/', revalidate, serveStatic({ root, path: 'index.html' }));
  for (const { platform, files, api: own } of pages) {
    app.use(`/operator/${platform}/*`, revalidate);
    app.route(`/operator/${platform}`, files);
    app.route(`/api/operator/${platform}`, own);
  }
  if (operator !== undefined) {
    app.get('/operator', revalidate, serveStatic({ root, path: 'operator.html' }));
    app.route('/api/operator', operatorApi({ operator, pages, clock, closing: closing.signal }));
  }
  // Serves only the files that the browser loads, not those of the tools that check them.
  app.get(
    '/page/:file{[a-z-]+\\.(css|js|svg)}',
    revalidate,
    serveStatic({ root, rewriteRequestPath: (path) => path.slice('/page'.length) }),
  );
  app.route('/api', api({ ...deps, conversations, asker, closing: closing.signal }));
  return {
    routes: { path: '/', app },
    notifier: consoleNotifier({ conversations, clock, log }),
    dataOwner: {
      async kept(chat) {
        const { length } = conversations.messages(localOf(chat));
        return length === 0 ? [] : [`this conversation: ${length} messages; the latest ${MAX_MESSAGES} stay`];
      },
      forgetChat: async (chat) => conversations.forget(localOf(chat)),
    },
    chats: () => conversations.chats().flatMap(({ name, at }) => (name === 'main' || at !== undefined ? [address('console', name)] : [])),
    async close() {
      closing.abort();
      await asker.idle();
      await conversations.idle();
    },
  };
}
