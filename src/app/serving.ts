/** The page, the platforms and the one HTTP server. */
import { Hono } from 'hono';
import { closed, listen } from '../base/http-server.js';
import { platformOf } from '../chat/address.js';
import type { OnChatEvent } from '../chat/platform.js';
import { ConfigError, type Config } from '../config.js';
import { createGreeter } from '../dispatch/welcome.js';
import { healthRoutes } from '../operations/health.js';
import { createOperator, operatorAfter } from '../operations/operator.js';
import { panelState, type ReportContext } from '../operations/report.js';
import { createConsole } from '../platforms/console/console.js';
import { greetingHints, renderings } from '../platforms/index.js';
import type { Answering } from './answering.js';
import type { Foundation } from './foundation.js';
import type { State } from './state.js';

/** Creates the page and the platforms, and serves them over HTTP. No platform is started. */
export async function serve(
  { config, store, clock, log, limits, onStop }: Foundation,
  state: State,
  { answering: { answer, catalogue }, reporting }: { readonly answering: Answering; readonly reporting: ReportContext },
): Promise<{ readonly url: string }> {
  const { watchlists, queues, loaded, onceLoaded, reachability, pictures, notifiers, platforms, dataOwners } = state;
  const hosts = config.http.isLocal ? [] : 'any';
  const page = await createConsole({
    store,
    clock,
    log,
    answer,
    catalogue,
    panel: { read: onceLoaded(async () => panelState(reporting)) },
    pictures,
    renderings,
    operator: operatorAfter(loaded, createOperator({ watchlists, queues, notifiers, answer, clock })),
    token: config.http.consoleToken,
    hosts,
  });
  const greet = createGreeter({
    watchlists,
    access: config.access,
    formerNames: reachability.formerNames,
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
  const around = { answer, pictures, catalogue, store, clock, log, onChatEvent };
  platforms.push(...(await Promise.all(config.platforms.map(async ({ name, create }) => create({ ...around, limits: limits?.[name] })))));
  notifiers.push(page.notifier, ...platforms.map(({ notifier }) => notifier));
  for (const { notifier, dataOwner } of [page, ...platforms]) if (dataOwner !== undefined) dataOwners.set(notifier.platform, dataOwner);

  const app = new Hono();
  // What it counts is unknown until then.
  const waits = onceLoaded(async (_: unknown, next: () => Promise<void>) => next());
  app.use('/healthz', waits);
  // The page refuses host names that it does not know; the public name of a webhook is one.
  const ofPlatforms = platforms.flatMap(({ routes }) => (routes === undefined ? [] : [routes]));
  for (const routes of [...ofPlatforms, healthRoutes(reporting, hosts), page.routes]) app.route(routes.path, routes.app);
  const { server, url } = await listen(app, config.http).catch((cause: unknown) => Promise.reject(notListening(config.http, cause)));
  onStop(async () => {
    // No new question arrives while those under way are answered.
    const gone = closed(server);
    await page.close();
    await gone;
  });
  return { url };
}

/** A sentence for a port that is taken or not permitted. */
const notListening = ({ host, port }: Config['http'], cause: unknown): ConfigError =>
  new ConfigError(
    `config: HTTP_PORT: ${host}:${port} cannot be listened on (${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}); choose another port, or 0 for any`,
    { cause },
  );
