/** Creates the page and the platforms, and serves them on one HTTP server. */
import { Hono } from 'hono';
import { OperatorLogin } from '../base/http-callers.js';
import { platformOf } from '../chat/address.js';
import type { OnChatEvent, Platform } from '../chat/platform.js';
import type { Panel } from '../chat/status-strip.js';
import { createGreeter } from '../dispatch/welcome.js';
import { operatorAfter, OperatorView } from '../operations/operator-view.js';
import { KeptProjects } from '../operations/watched-projects.js';
import { sharedCheck } from '../operations/readiness.js';
import { panelState, storeReport, type ReportContext } from '../operations/status-report.js';
import { createApi, type Api } from '../platforms/api/api.js';
import { createConsole } from '../platforms/console/console.js';
import { greetingHints, renderings } from '../platforms/index.js';
import type { Answering } from './answering.js';
import { openHttp, type Foundation, type HttpServer, type State } from './foundation.js';
import type { Monitoring } from './monitoring.js';

interface Served {
  readonly answering: Answering;
  readonly reporting: ReportContext;
  /** The server of a standby that became active; if undefined, a server is opened. */
  readonly http: HttpServer | undefined;
  readonly monitoring: Pick<Monitoring, 'routes'>;
}

/** Serves the routes. Does not start the platforms. */
export async function serve(base: Foundation, state: State, served: Served): Promise<{ readonly url: string }> {
  const { config, clock, listen = openHttp, onStop } = base;
  const { onceLoaded, notifiers, platforms, dataOwners } = state;
  platforms.push(...(await connectPlatforms(base, state, served)));
  const stored = sharedCheck(async () => storeReport(served.reporting), clock);
  const panel = { read: onceLoaded(async () => panelState(served.reporting, stored)) };
  const api = await openApi(base, state, { answering: served.answering, panel });
  state.everywhere.push(api.dataOwner);
  const page = await openPage(base, state, { answering: served.answering, panel, apiPage: api.page });
  state.existing.push(
    () => page.chats(),
    () => platforms.flatMap((platform) => platform.chats?.() ?? []),
  );
  notifiers.push(page.notifier, ...platforms.map(({ notifier }) => notifier));
  for (const { notifier, dataOwner } of [page, ...platforms]) if (dataOwner !== undefined) dataOwners.set(notifier.platform, dataOwner);

  const app = new Hono();
  // /healthz waits, because its counts are unknown until the chats are read.
  const waits = onceLoaded(async (_: unknown, next: () => Promise<void>) => next());
  app.use('/healthz', waits);
  // Platform routes come before the page, which refuses unknown host names, such as the public one of a webhook.
  const ofPlatforms = platforms.flatMap(({ routes }) => (routes === undefined ? [] : [routes]));
  for (const routes of [...ofPlatforms, ...served.monitoring.routes, ...api.routes, page.routes]) app.route(routes.path, routes.app);
  const server = served.http ?? (await listen(config.http, app, clock));
  server.show(app);
  onStop(async () => {
    // The page closes together with the server, so that no new question arrives while others are answered.
    const answered = page.close();
    await Promise.all([answered, server.close(answered)]);
  });
  return { url: server.url };
}

async function connectPlatforms(
  { config, store, clock, log, limits, isActive }: Foundation,
  { watchlists, onceLoaded, reachability, pictures, notifiers, inbound }: State,
  { answering: { answer, catalogue } }: Served,
): Promise<readonly Platform[]> {
  const greet = createGreeter({
    ...{ watchlists, clock, log },
    access: config.access,
    formerNames: (circle) => reachability.formerNames(circle),
    hints: greetingHints,
    deliver: async (chat, delivery) => {
      const notifier = notifiers.find(({ platform }) => platform === platformOf(chat));
      return notifier?.deliver(chat, delivery) ?? { kind: 'later', because: 'unreachable' };
    },
  });
  const onChatEvent: OnChatEvent = onceLoaded(async (event) => {
    await reachability.take(event);
    await greet(event);
  });
  const around = {
    ...{ answer, pictures, catalogue, store, clock, log, onChatEvent, isActive },
    onDate: clock.observeDate,
    forwarding: inbound?.forwarding,
  };
  return Promise.all(config.platforms.map(async ({ name, create }) => create({ ...around, limits: limits?.[name] })));
}

interface Pages {
  readonly answering: Answering;
  readonly panel: Panel;
}

const openApi = async (
  { config, store, clock, log }: Foundation,
  state: State,
  { answering: { answer, catalogue, isReading }, panel }: Pages,
) =>
  createApi({
    ...{ store, clock, log, catalogue, panel, isReading },
    answer: state.onceLoaded(answer),
    data: state.chatData,
    tokens: state.feedTokens,
    isEnabled: config.http.isApiEnabled,
    publicUrl: config.http.publicUrl,
    forgetChat: async (chat) => state.sources.forgetChat(chat),
  });

async function openPage(
  { config, store, clock, log }: Foundation,
  state: State,
  { answering: { answer, catalogue }, panel, apiPage }: Pages & { readonly apiPage: Api['page'] },
) {
  const { analytics, checkRecords, directory, watchlists, queues, loaded, onceLoaded, pictures, notifiers, platforms } = state;
  const { hosts, consoleToken: token, isOpenHere, isLoopbackOnly } = config.http;
  const watched = new KeptProjects({ watchlists, directory, checkRecords, analytics, clock });
  return createConsole({
    ...{ store, clock, log, answer, catalogue, panel, pictures, renderings, hosts },
    watched: { read: onceLoaded(async (chat, search) => watched.read(chat, search)) },
    operator: operatorAfter(
      loaded,
      new OperatorView({
        ...{ watchlists, queues, notifiers, answer, clock, store },
        chats: () => platforms.flatMap((platform) => platform.chats?.() ?? []),
        refusedFiles: () => state.refusedFiles.flatMap((read) => read()),
      }),
    ),
    pages: [
      ...platforms.flatMap(({ notifier, page: own }) => (own === undefined ? [] : [{ ...own, platform: notifier.platform }])),
      apiPage,
    ],
    login: new OperatorLogin({ token, clock }),
    openTo: isOpenHere ? { isPortLocal: isLoopbackOnly } : 'nobody',
  });
}
