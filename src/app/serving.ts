/** Creates the page and the platforms, and serves them on one HTTP server. */
import { Hono } from 'hono';
import { OperatorLogin } from '../base/http-callers.js';
import { platformOf } from '../chat/address.js';
import type { OnChatEvent } from '../chat/platform.js';
import { createGreeter } from '../dispatch/welcome.js';
import { operatorAfter, OperatorView } from '../operations/operator-view.js';
import { KeptProjects } from '../operations/watched-projects.js';
import { panelState, type ReportContext } from '../operations/status-report.js';
import { createApi } from '../platforms/api/api.js';
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
export async function serve(
  { config, store, clock, log, limits, isActive, listen = openHttp, onStop }: Foundation,
  state: State,
  { answering: { answer, catalogue, isReading }, reporting, monitoring, http }: Served,
): Promise<{ readonly url: string }> {
  const {
    analytics,
    checkRecords,
    directory,
    watchlists,
    queues,
    loaded,
    onceLoaded,
    reachability,
    pictures,
    notifiers,
    platforms,
    dataOwners,
    everywhere,
  } = state;
  const { hosts, consoleToken: token, isOpenHere, isLoopbackOnly } = config.http;
  const greet = createGreeter({
    watchlists,
    access: config.access,
    formerNames: (circle) => reachability.formerNames(circle),
    clock,
    log,
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
    answer,
    pictures,
    catalogue,
    store,
    clock,
    log,
    onChatEvent,
    isActive,
    onDate: clock.observeDate,
    forwarding: state.inbound?.forwarding,
  };
  platforms.push(...(await Promise.all(config.platforms.map(async ({ name, create }) => create({ ...around, limits: limits?.[name] })))));
  const watched = new KeptProjects({ watchlists, directory, checkRecords, analytics, clock });
  const panel = { read: onceLoaded(async () => panelState(reporting)) };
  const api = await createApi({
    ...{ store, clock, log, catalogue, panel },
    answer: onceLoaded(answer),
    isReading,
    data: state.chatData,
    tokens: state.feedTokens,
    isEnabled: config.http.isApiEnabled,
    publicUrl: config.http.publicUrl,
    forgetChat: async (chat) => state.sources.forgetChat(chat),
  });
  everywhere.push(api.dataOwner);
  const page = await createConsole({
    store,
    clock,
    log,
    answer,
    catalogue,
    panel,
    watched: { read: onceLoaded(async (chat, search) => watched.read(chat, search)) },
    pictures,
    renderings,
    operator: operatorAfter(
      loaded,
      new OperatorView({
        watchlists,
        queues,
        notifiers,
        answer,
        clock,
        store,
        chats: () => platforms.flatMap((platform) => platform.chats?.() ?? []),
        refusedFiles: () => state.refusedFiles.flatMap((read) => read()),
      }),
    ),
    pages: [
      ...platforms.flatMap(({ notifier, page: own }) => (own === undefined ? [] : [{ ...own, platform: notifier.platform }])),
      api.page,
    ],
    login: new OperatorLogin({ token, clock }),
    openTo: isOpenHere ? { isPortLocal: isLoopbackOnly } : 'nobody',
    hosts,
  });
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
  for (const routes of [...ofPlatforms, ...monitoring.routes, ...api.routes, page.routes]) app.route(routes.path, routes.app);
  const server = http ?? (await listen(config.http, app, clock));
  server.show(app);
  onStop(async () => {
    // The page closes together with the server, so that no new question arrives while others are answered.
    const answered = page.close();
    await Promise.all([answered, server.close(answered)]);
  });
  return { url: server.url };
}
