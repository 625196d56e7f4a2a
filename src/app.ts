/** Assembles the modules into a running app. */
import { answerOnly } from './app/answer-only-process.js';
import { createWarmUp, openAnswering } from './app/answering.js';
import { layFoundation, openState, type Foundation, type HttpServer, type Overrides, type State } from './app/foundation.js';
import { openMonitoring } from './app/monitoring.js';
import { serve } from './app/serving.js';
import { shareEngine, type Activate, type ActiveApp, type Sharing } from './app/standby.js';
import { applyFolder, openWatching, scheduleJobs, takeInbound, type Watching } from './app/watching.js';
import { programLine } from './base/program-line.js';
import { systemClock, type Clock } from './base/clock.js';
import { signalOnce } from './base/when-ready.js';
import { chatCollection } from './alerts/watchlist/watchlists.js';
import { claimFindings } from './dispatch/watchlists/folder.js';
import { folderFindings } from './dispatch/watchlists/folder-files.js';
import { unknownSlugText } from './analytics/directory.js';
import { addressSchema, platformOf, type Address } from './chat/address.js';
import type { Inbound } from './chat/inbound.js';
import type { Config } from './config.js';
import { FEEDS } from './feeds/index.js';
import type { DoctorDeps, DoctorOptions, examine } from './operations/doctor/doctor.js';
import type { ReportContext } from './operations/status-report.js';
import { PLATFORMS, addressFault } from './platforms/index.js';
import { idOf, openEndpoints } from './platforms/webhook/endpoints.js';
import { StoreError, type SharedEngine } from './store/store.js';

export type { Overrides } from './app/foundation.js';
export { EXIT_LEASE_LOST } from './app/standby.js';

export interface RunningApp extends ActiveApp {
  /** Undefined if one process owns the database. */
  readonly sharing?: Sharing;
  /** Finishes the work under way and closes everything. Idempotent. */
  stop(): Promise<void>;
}

/** Starts the app. If a required part fails, closes everything and rejects. */
export async function startApp(config: Config, overrides: Overrides = {}): Promise<RunningApp> {
  const undo: (() => Promise<void>)[] = [];
  const stopping = new AbortController();
  const { signal } = overrides;
  const giveUp = (): void => stopping.abort(signal?.reason);
  let activating: Promise<unknown> | undefined;
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('stopping'));
    // If a standby is taking over, the stop waits until it is complete, so that all of it is closed.
    await activating?.catch(() => {});
    for (const close of undo.splice(0).toReversed()) await close();
  };
  const activateOnce: Activate = async (base, http) => {
    const active = activate(base, http);
    activating = active;
    return active;
  };
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    signal?.throwIfAborted();
    const base = await layFoundation(config, overrides, { stopping: stopping.signal, onStop: (close) => undo.push(close) });
    const { shared } = base.store;
    const running = await start(base, shared, activateOnce);
    // The signal may have aborted since the last check.
    signal?.throwIfAborted();
    signal?.removeEventListener('abort', giveUp);
    return { ...running, stop: async () => (stopped ??= stop()) };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

async function start(base: Foundation, shared: SharedEngine | undefined, activateOnce: Activate): Promise<Omit<RunningApp, 'stop'>> {
  if (shared === undefined) return activateOnce(base);
  return base.config.role === 'answer' ? answerOnly(base, shared) : shareEngine(base, shared, activateOnce);
}

async function activate(base: Foundation, http?: HttpServer): Promise<ActiveApp> {
  const { config, onStop, stopping, clock, log } = base;
  const answerable = signalOnce();
  const begun = clock.reading().monotonic;
  const state = await openState(base, answerable.done);
  const { directory, loaded, pictures, platforms, service, watchlists } = state;
  const watching = await openWatching(base, state);
  const reporting = reportingOf(base, state, watching);
  const warmUp = createWarmUp({ clock, warm: async () => pictures.warm() });
  onStop(async () => warmUp.stop());
  const { answer, catalogue, isReading } = await openAnswering(base, state, { watching, reporting });
  const answering = {
    catalogue,
    isReading,
    answer: async (inbound: Inbound) => {
      const reply = await answer(inbound);
      if (reply.chart === undefined) warmUp.asked();
      return reply;
    },
  };
  const monitoring = await openMonitoring(base, state, { drain: watching.drain, reporting });
  const { url } = await serve(base, state, { answering, reporting, monitoring, http });
  const schedule = scheduleJobs(base, state, { watching, monitoring });
  onStop(async () => void (await Promise.all(platforms.map(async (platform) => platform.stop()))));
  // Registered after the platforms, so that deliveries under way finish before the platforms stop.
  onStop(async () => schedule.stop());
  // Stopped at once too, so that the stop does not wait for a recovery from a crash.
  stopping.addEventListener('abort', () => void schedule.stop(), { once: true });
  // Platforms connect in the background, so one that cannot log in delays nothing else. Questions are answered from here on.
  for (const platform of platforms) platform.start();
  answerable.signal();
  await watchlists.loaded;
  // The schedule starts before all queues are read, so that alerts go out meanwhile.
  await schedule.start();
  await loaded;
  takeInbound(base, state);
  applyFolder(base, state);

  // Discovers projects in the background, for completion and to compare PROJECTS with the service's list; /status
  // shows unknown ones. Without PROJECTS this makes at most two calls, and none once projects are stored.
  const projects = config.projects === undefined ? directory.all() : directory.refresh();
  projects.catch((cause: unknown) => log.info('projects.not-read', { cause }));
  const milliseconds = http === undefined ? clock.now() - base.startedAt() : Math.round(clock.reading().monotonic - begun);
  log.info('started', { url, service: service.name, milliseconds });
  return {
    url,
    lines: startLines({ url, config, service, chats: watchlists.count() }),
    serviceUrl: service.url,
    idle: async () => schedule.idle(),
    warm: () => warmUp.start(),
  };
}

/** Returns what /status, the page and the operators are shown of the process. */
function reportingOf(base: Foundation, state: State, { watcher, observation, drain }: Watching): ReportContext {
  const { store, clock, droppedLines } = base;
  const { analytics, service, checkRecords, queues, watchlists, notifiers, directory } = state;
  return {
    ...{ analytics, store, feeds: FEEDS, checkRecords, queues, watchlists, notifiers, clock, droppedLines, observation },
    serviceName: service.name,
    invented: service.invented,
    get startedAt() {
      return base.startedAt();
    },
    unknownProjects: () => directory.unknown().map(unknownSlugText),
    cadence: () => watcher.cadence(),
    overdue: () => watcher.overdue(),
    delays: () => drain.delays(),
    clockDoubt: clock.doubt,
  };
}

/** Runs the checks of `npm run doctor`. Starts nothing but the embedded service, if that is examined. */
export async function runDoctor(
  config: Config,
  examination: DoctorOptions,
  { clock = systemClock, random = Math.random }: Pick<Overrides, 'clock' | 'random'> = {},
): ReturnType<typeof examine> {
  const { analytics, simulator } = config;
  const operatorChat = config.operatorChat === undefined ? undefined : addressSchema.parse(config.operatorChat);
  const operatorChatOn = (platform: string) =>
    operatorChat !== undefined && platformOf(operatorChat) === platform ? operatorChat : undefined;
  const connected = ['console', ...config.platforms.map(({ name }) => name)];
  const unreachable = (chat: Address): string | undefined => addressFault(chat, connected);
  const kinds = FEEDS.map(({ id, summary }) => ({ id, summary }));
  const patient: DoctorDeps = {
    storeUrl: config.storeUrl,
    analytics,
    clock,
    random,
    heartbeatUrl: config.heartbeatUrl,
    watchlists: async () =>
      config.watchlistFolder === undefined ? [] : folderFindings(config.watchlistFolder, { kinds, unreachable, clock }),
    ...(config.watchlistFolder === undefined ? {} : { claims: claimsIn(config.watchlistFolder, { kinds, clock }) }),
    links: config.links,
    connectable: PLATFORMS.flatMap(({ enabledBy }) => enabledBy ?? []),
    platforms: config.platforms.flatMap(({ name, hasToken, checkup }) =>
      hasToken ? [async () => checkup({ clock, operatorChat: operatorChatOn(name) })] : [],
    ),
    embedded: async () => {
      const [{ startSimulator }, { memoryJournal }] = await Promise.all([
        import('./simulator/server.js'),
        import('./simulator/journal.js'),
      ]);
      return startSimulator({ ...simulator, apiKey: analytics.apiKey, clock, journal: memoryJournal() });
    },
  };
  const doctor = await import('./operations/doctor/doctor.js');
  return doctor.examine(patient, examination);
}

interface Started {
  readonly url: string;
  readonly config: Config;
  readonly service: { readonly name: string; readonly url: string };
  /** The number of chats that watch something. */
  readonly chats: number;
}

function startLines({ url, config, service, chats }: Started): readonly string[] {
  const watched = chats === 0 ? 'nothing yet; type /watch all on the page' : `for ${chats} ${chats === 1 ? 'chat' : 'chats'}`;
  const from = config.analytics.baseUrl === undefined ? `${service.name} (${service.url})` : service.name;
  return [
    `page ${url}`,
    ...config.platforms.flatMap(({ name, hasToken }) => (hasToken ? [`${name.padEnd(9)} connecting; /status says how it stands`] : [])),
    ...config.platforms.flatMap(({ startLines: lines }) => lines),
    `service ${from}`,
    `store ${config.storePlace}`,
    config.http.consoleToken === undefined
      ? `login not possible: ${config.noToken ?? 'there is no token'}`
      : `login ${programLine('login')} prints a link for the operator view`,
    `watching ${watched}`,
  ];
}

const claimsIn =
  (
    folder: string,
    { kinds, clock }: Pick<Parameters<typeof claimFindings>[1], 'kinds'> & { readonly clock: Clock },
  ): DoctorDeps['claims'] =>
  async (store) => {
    try {
      const [chats, endpoints] = [chatCollection(store), await openEndpoints(store, clock)];
      const hasEndpoint = (chat: Address): boolean => endpoints.read(idOf(chat) ?? '') !== undefined;
      return await claimFindings(folder, { chatOf: async (chat) => chats.get(chat), hasEndpoint, kinds });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return [{ mark: 'fail', about: 'watchlists', says: error.message.replace(/^store: /u, '') }];
    }
  };
