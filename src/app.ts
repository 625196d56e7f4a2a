/** Puts the modules together. The only file that knows every module, and the owner of the one HTTP server. */
import { Hono } from 'hono';
import { openPictures } from './charts/pictures.js';
import { createAnalytics } from './analytics/client.js';
import { createDirectory } from './analytics/directory.js';
import { openTopicStatuses } from './alerts/delivery/topic-statuses.js';
import { openArchive } from './alerts/queue/events.js';
import { openFirstChecks } from './alerts/checks/first-checks.js';
import { createHistory } from './alerts/explanation/history.js';
import { openCheckRecords } from './alerts/checks/check-records.js';
import { openPendingImports } from './alerts/watchlist/pending-imports.js';
import { startQueues } from './alerts/queue/queues.js';
import { createSamples } from './alerts/delivery/sample.js';
import { startWatchlists } from './alerts/watchlist/watchlists.js';
import { createReachability } from './alerts/watchlist/reachability.js';
import { createWhy } from './alerts/explanation/explain.js';
import { MINUTE, systemClock, type Clock } from './base/clock.js';
import { closed, listen } from './base/http-server.js';
import { whenReady, signalOnce } from './base/when-ready.js';
import { lanes } from './base/lanes.js';
import { lines } from './base/lines.js';
import { createLog, type Log } from './base/log.js';
import { redactor } from './base/redact.js';
import { type Notifier } from './chat/notifier.js';
import type { OnChatEvent, Platform } from './chat/platform.js';
import type { Answerer } from './chat/inbound.js';
import type { DataOwner } from './chat/privacy.js';
import { platformOf } from './chat/address.js';
import { ConfigError, secretsOf, type Config } from './config.js';
import { mayAsk } from './dispatch/access.js';
import { createAllowance, limitsFor } from './dispatch/allowance.js';
import { createDispatcher } from './dispatch/dispatcher.js';
import { createLiveProposals } from './dispatch/live-proposals.js';
import { loadRegistry } from './dispatch/registry.js';
import { createGreeter } from './dispatch/welcome.js';
import { makeLinks } from './domain/links.js';
import { FEEDS } from './feeds/index.js';
import { createBacktests } from './jobs/backtest.js';
import { openDetectors } from './jobs/detectors.js';
import { createDigests } from './jobs/digest.js';
import { createDrain } from './jobs/drain.js';
import { openHeartbeat } from './jobs/heartbeat.js';
import { openWatermarks, readShared } from './jobs/watermarks.js';
import { refreshKey, START_SPREAD } from './jobs/plan.js';
import { openRefresher } from './jobs/refresh.js';
import { createSchedule } from './jobs/schedule.js';
import { cronTicker, type Ticker } from './jobs/ticker.js';
import { createWatcher } from './jobs/watcher.js';
import { examine, type DoctorOptions, type DoctorDeps } from './operations/doctor/doctor.js';
import { healthRoutes } from './operations/health.js';
import { createOperator, operatorAfter } from './operations/operator.js';
import { createPrivacy, privacyAfter } from './operations/privacy.js';
import { fullReport, panelState, type ReportContext } from './operations/report.js';
import { sweepActions } from './platforms/actions.js';
import { createConsole } from './platforms/console/console.js';
import { greetingHints, placeWord, PLATFORMS, renderings } from './platforms/index.js';
import type { RateLimits } from './platforms/limiter/limiter.js';
import { reachService } from './simulator/embedded.js';
import { memoryJournal } from './simulator/journal.js';
import { startSimulator } from './simulator/server.js';
import { openSources } from './sources/sources.js';
import { openStore } from './store/open.js';

/** Replacements for the real world, for tests. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Log;
  readonly ticker?: Ticker;
  /** Instead of a platform's usual rate limits, by its name. */
  readonly limits?: Readonly<Record<string, RateLimits>>;
}

export interface RunningApp {
  /** Where the console answers. */
  readonly url: string;
  /** The connections, in a few plain lines. */
  readonly lines: readonly string[];
  /** The URL of the service, configured or embedded. */
  readonly serviceUrl: string;
  /** Resolves when no check and no delivery is under way. */
  idle(): Promise<void>;
  /** Starts the drawing thread with the first question without a picture: a bot that only alerts does without its 60 MB. */
  warm(): void;
  /** Finishes what is under way and closes everything. Idempotent. */
  stop(): Promise<void>;
}

/** Starts the bot. Rejects, with everything closed again, when a required part does not start. */
export async function startApp(config: Config, overrides: Overrides = {}): Promise<RunningApp> {
  const undo: (() => Promise<void>)[] = [];
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    for (const close of undo.splice(0).toReversed()) await close();
  };
  try {
    const running = await assemble(config, overrides, (close) => undo.push(close));
    return { ...running, stop: async () => (stopped ??= stop()) };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

async function assemble(
  config: Config,
  overrides: Overrides,
  onStop: (close: () => Promise<void>) => void,
): Promise<Omit<RunningApp, 'stop'>> {
  const clock = overrides.clock ?? systemClock;
  const random = overrides.random ?? Math.random;
  const errorLines = lines(2);
  const log = overrides.log ?? createLog({ level: config.logLevel, redact: redactor(secretsOf(config)), to: errorLines });
  const startedAt = clock.now();

  const store = await openStore(config.storeUrl);
  onStop(async () => store.close());
  const service = await reachService({ ...config.analytics, ...config.simulator, store, clock, onStop });

  const analytics = createAnalytics({ ...config.analytics, baseUrl: service.url, source: service.source, store, clock, random, log });
  onStop(async () => analytics.close());
  await analytics.ready();
  const directory = createDirectory({ analytics, store, clock, log, only: config.projects, source: service.source });

  const [answering, asked] = [signalOnce(), signalOnce()];
  const watchlists = startWatchlists(store, answering.done);
  const imports = openPendingImports({ store, clock });
  const sources = openSources({ store, clock, log });
  // After the last answer.
  onStop(async () => sources.flush().catch((error: unknown) => log.warn('sources.not-written', { error })));
  const queues = startQueues(store, answering.done);
  // Questions are answered meanwhile; what concerns other chats than the asker's, and everything that runs by itself, waits for it.
  const loaded = Promise.all([watchlists.loaded, queues.loaded]);
  const onceLoaded = whenReady(loaded);
  const watermarks = openWatermarks(store);
  const checkRecords = await openCheckRecords(store, async (key) => watermarks.flush(key));
  const firstChecks = await openFirstChecks({ store, log });
  const archive = openArchive(store);
  const reachability = createReachability({ watchlists, queues, listed: config.access.listed, clock, log });
  const why = createWhy({
    archive,
    checkRecords,
    queues,
    watchlists,
    now: () => clock.now(),
    overdue: (feed, subject) => watcher.overdue().get(`${feed}/${subject}`),
    sharedStates: async (feed, subject) => readShared(watermarks, `${feed}/${subject}`),
  });
  const history = createHistory({ archive, queues, watchlists, clock });
  const [heartbeat, topics] = [await openHeartbeat({ store, clock, log }), await openTopicStatuses(store, log)];
  const pictures = openPictures({ clock, log });
  onStop(async () => pictures.close());
  const notifiers: Notifier[] = [];
  const dataOwners = new Map<string, DataOwner>();
  const { pollMinSeconds } = config;
  const refresher = await openRefresher({
    analytics,
    store,
    clock,
    log,
    watched: () => watchlists.here.watched.wallets,
    kept: () => watchlists.kept.watched.wallets,
    maxAge: config.walletMaxAgeMinutes * MINUTE,
    // Each needs the other: a changed snapshot is checked, and a check asks for the state of the refresh.
    changed: onceLoaded(async (address) => watcher.changed({ address })),
    plannedAge: (address) => watcher.cadence().intervals.get(refreshKey(address)),
  });
  const watcher = createWatcher({
    analytics,
    directory,
    source: service.source,
    feeds: FEEDS,
    watermarks,
    checks: checkRecords,
    archive,
    ...{ queues, topics },
    watchlists,
    firstChecks,
    clock,
    lanes: lanes(),
    log,
    pollMinSeconds,
    startSpread: START_SPREAD,
    unranked: (wallet) => refresher.unranked(wallet),
    away: () => heartbeat.away(),
    detectors: await openDetectors({ store, analytics, source: service.source, checkRecords, clock, log }),
    refreshOf: (address) => ({ key: refreshKey(address), cost: refresher.cost(address), floor: refresher.maxAge }),
  });
  const links = makeLinks(config.links);
  const drain = createDrain({
    ...{ queues, topics, archive, watchlists, reachability, notifiers, clock, random, log, links, pictures },
    ambiguous: config.ambiguousSends,
  });
  const digests = createDigests({ queues, watchlists, archive, checkRecords, watermarks, directory, analytics, clock, log });
  const reporting: ReportContext = {
    analytics,
    serviceName: service.name,
    invented: service.invented,
    store,
    feeds: FEEDS,
    checkRecords,
    queues,
    watchlists,
    notifiers,
    clock,
    startedAt,
    unknownProjects: () => directory.unknown(),
    droppedLines: () => errorLines.dropped(),
    cadence: () => watcher.cadence(),
    overdue: () => watcher.overdue(),
  };

  const kinds = FEEDS.map(({ id, summary }) => ({ id, summary }));
  const registry = await loadRegistry({
    ...{ kinds: kinds.map(({ id }) => id), directory, watchlists },
    liveProposals: createLiveProposals({ analytics, clock }),
  });
  const answerKnown = createDispatcher({
    registry,
    clock,
    log,
    access: config.access,
    allowance: createAllowance({ clock, limits: limitsFor(config.analytics.requestsPerMonth) }),
    formerNames: reachability.formerNames,
    onActivity: async (chat) => {
      await Promise.all([watchlists.fetch(chat), queues.fetch(chat)]);
      await reachability.take({ kind: 'back', chat });
    },
    context: {
      analytics,
      directory,
      watchlists,
      imports,
      sources,
      ...{ why, history, kinds, links },
      refreshes: refresher,
      backtests: createBacktests({ feeds: FEEDS, checkRecords, clock }),
      platformHints: greetingHints,
      inviteLinks: (chat) => platforms.find(({ notifier }) => notifier.platform === platformOf(chat))?.inviteLinks?.(chat) ?? [],
      placeWord,
      privacy: privacyAfter(loaded, createPrivacy({ watchlists, queues, sources, dataOwners, clock, log })),
      digests,
      samples: createSamples({ feeds: FEEDS, archive, queues, watchlists, clock }),
      firstChecks: { make: onceLoaded(async (target, how) => watcher.firstChecks(target, how)) },
      status: onceLoaded(async () => fullReport(reporting)),
      probe: async (chat) => {
        const notifier = notifiers.find(({ platform }) => platform === platformOf(chat));
        const blocked = `Alerts can't be posted here: the bot isn't connected to ${platformOf(chat)}. /status says why.`;
        return notifier?.probe(chat) ?? { missing: [], blocked };
      },
    },
  });
  const answer: Answerer = async (inbound) => {
    // Access may have been given to the chat under an earlier name, which only the list of all chats knows.
    if (!mayAsk(inbound, config.access)) await loaded.catch(() => undefined);
    const reply = await answerKnown(inbound);
    if (reply.chart === undefined) asked.signal();
    return reply;
  };
  const hosts = config.http.isLocal ? [] : 'any';
  const page = await createConsole({
    store,
    clock,
    log,
    answer,
    catalogue: registry.catalogue,
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
  const around = { answer, pictures, catalogue: registry.catalogue, store, clock, log, onChatEvent };
  const platforms: readonly Platform[] = await Promise.all(
    config.platforms.map(async ({ name, create }) => create({ ...around, limits: overrides.limits?.[name] })),
  );
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

  const schedule = createSchedule({
    flush: async () =>
      void (await Promise.all([checkRecords.flush().then(async () => watermarks.flush()), analytics.flush(), sources.flush()])),
    checkpoint: async () => store.checkpoint(),
    watcher,
    refresher,
    drain,
    digests,
    heartbeat,
    log,
    ticker: overrides.ticker ?? cronTicker,
    housekeeping: async () => {
      const waiting = new Set(
        queues.all().flatMap((queue) => [...queue.waiting, ...(queue.open?.members ?? [])].map((member) => member.event)),
      );
      await archive.sweep(clock.now(), (id) => waiting.has(id));
      await reachability.sweep();
      await topics.sweep(clock.now(), queues.followed.has);
      await sweepActions(store, clock.now());
      for (const platform of platforms) await platform.sweep?.();
      await imports.sweep();
      await sources.sweep();
    },
  });
  onStop(async () => void (await Promise.all(platforms.map(async (platform) => platform.stop()))));
  // Deliveries under way are finished before the platforms stop.
  onStop(async () => schedule.stop());
  // Platforms connect in the background; one that cannot log in delays nothing else. Questions are answered from here on.
  for (const platform of platforms) platform.start();
  answering.signal();
  await loaded;
  await schedule.start();

  // In the background: completion offers projects before the first question, and PROJECTS are compared with the service's; /status
  // shows which are unknown. Without PROJECTS this makes at most two calls, and none once projects are stored.
  const projects = config.projects === undefined ? directory.all() : directory.refresh();
  projects.catch((cause: unknown) => log.info('projects.not-read', { cause }));
  log.info('started', { url, service: service.name, milliseconds: clock.now() - startedAt });
  const chats = watchlists.all().length;
  const watching = chats === 0 ? 'nothing yet; type /watch all on the page' : `for ${chats} ${chats === 1 ? 'chat' : 'chats'}`;
  const from = config.analytics.baseUrl === undefined ? `${service.name} (${service.url})` : service.name;
  return {
    url,
    lines: [
      `page ${url}`,
      ...platforms.map(({ notifier }) => `${notifier.platform.padEnd(9)} connecting; /status says how it stands`),
      ...config.platforms.flatMap(({ startLines }) => startLines),
      `service ${from}`,
      `store ${config.storeUrl}`,
      `watching ${watching}`,
    ],
    serviceUrl: service.url,
    idle: async () => schedule.idle(),
    warm: () => void asked.done.then(async () => pictures.warm()),
  };
}

/** Runs the checks of `npm run doctor` with this configuration. Starts nothing but the embedded service where it is examined. */
export async function runDoctor(
  config: Config,
  examination: DoctorOptions,
  { clock = systemClock, random = Math.random }: Pick<Overrides, 'clock' | 'random'> = {},
): ReturnType<typeof examine> {
  const { analytics, simulator } = config;
  const patient: DoctorDeps = {
    storeUrl: config.storeUrl,
    analytics,
    clock,
    random,
    connectable: PLATFORMS.map(({ enabledBy }) => enabledBy),
    platforms: config.platforms.map(
      ({ checkup }) =>
        async () =>
          checkup(clock),
    ),
    embedded: async () => startSimulator({ ...simulator, apiKey: analytics.apiKey, clock, journal: memoryJournal() }),
  };
  return examine(patient, examination);
}

/** A sentence for a port that is taken or not permitted. */
const notListening = ({ host, port }: Config['http'], cause: unknown): ConfigError =>
  new ConfigError(
    `config: HTTP_PORT: ${host}:${port} cannot be listened on (${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}); choose another port, or 0 for any`,
    { cause },
  );
