/** Opens what all parts of a process share: settings, clock, log, the HTTP server, the store and its documents, and the analytics service. */
import { setMaxListeners } from 'node:events';
import { closed, listen } from '../base/http.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { SECOND, later, systemClock, type Clock } from '../base/clock.js';
import { lines, type DroppedLines } from '../base/line-writer.js';
import { createLog, type Log } from '../base/log.js';
import { never } from '../base/never.js';
import { redactor } from '../base/redact.js';
import { openTrustedClock, type MachineClock, type TrustedClock } from '../base/trusted-clock.js';
import { ConfigError, secretsOf, type Config } from '../config.js';
import type { Connect } from '../analytics/transport.js';
import { openPictures, type Drawing } from '../charts/pictures.js';
import type { Instant } from '../domain/scalars.js';
import { fileEntryOf, settingsOf } from '../dispatch/watchlists/list-file.js';
import { readLastSeen } from '../jobs/downtime.js';
import type { Ticker } from '../jobs/ticker.js';
import { ChatCalendar } from '../operations/chat-calendar.js';
import { KnownChats } from '../operations/chat-data.js';
import { createMetrics, type Metrics } from '../operations/metrics/metrics.js';
import { createStoreOutageLog, observedStore } from '../operations/observed-store.js';
import { FeedTokens, feedAddresses } from '../platforms/api/feed-tokens.js';
import type { RateLimits } from '../platforms/limiter/limiter.js';
import { mayShareMachine, openStore } from '../store/open.js';
import type { SharedEngine, Store } from '../store/store.js';
import type { Hono } from 'hono';
import { openCheckRecords } from '../alerts/checks/check-records.js';
import { RuleStates } from '../alerts/evaluation/rule-states.js';
import { openArchive } from '../alerts/queue/event-archive.js';
import { startQueues } from '../alerts/queue/queues.js';
import { openPendingImports } from '../alerts/watchlist/pending-imports.js';
import { createReachability } from '../alerts/delivery/reachability.js';
import { Watchlists } from '../alerts/watchlist/watchlists.js';
import { createAnalytics } from '../analytics/client.js';
import { createDirectory } from '../analytics/directory.js';
import { whenReady } from '../base/when-ready.js';
import type { Address } from '../chat/address.js';
import type { Notifier } from '../chat/notifier.js';
import type { RefusedFile } from '../chat/operator-view.js';
import type { Platform } from '../chat/platform.js';
import type { DataOwner } from '../chat/privacy.js';
import { createForwarding, openInboundRecords } from '../inbound/records.js';
import { makeLinks } from '../domain/links.js';
import { openWatermarks } from '../jobs/watermarks.js';
import { reachService } from '../simulator/reach-service.js';
import { Sources } from '../sources/kept-sources.js';

/** How long a stop waits for questions and calls under way. Longer than the wait for a wallet refresh, which has cost calls already. */
const STOP_GRACE = 5 * SECOND;

/** Replacements for the real world, for tests. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Log;
  /** Replaces the store at STORE_URL. */
  readonly store?: Store;
  readonly ticker?: Ticker;
  /** The machine's monotonic clock, in milliseconds. If undefined, a replaced `clock` is never doubted. */
  readonly monotonic?: () => number;
  /** Replaces HTTP to the analytics service. */
  readonly connect?: Connect;
  /** Replaces the HTTP server that listens. */
  readonly listen?: typeof openHttp;
  /** Replaces the drawing thread. */
  readonly pictures?: Drawing;
  /** When this aborts, the start closes everything and rejects. */
  readonly signal?: AbortSignal;
  /** Replaces a platform's rate limits, by its name. */
  readonly limits?: Readonly<Record<string, RateLimits>>;
}

export interface Foundation extends Pick<Overrides, 'ticker' | 'connect' | 'listen' | 'pictures' | 'limits'> {
  readonly config: Config;
  readonly clock: TrustedClock;
  readonly random: () => number;
  readonly log: Log;
  readonly droppedLines: () => DroppedLines;
  /** When the process started. Follows the monotonic clock, so it moves along when a clock jump is confirmed. */
  readonly startedAt: () => Instant;
  readonly store: Store;
  /** Called before each request to a platform and each POST to the service. If undefined, the process is always active. */
  readonly isActive?: () => boolean;
  readonly metrics: Metrics;
  /** Aborts when everything must close, also during the start. */
  readonly stopping: AbortSignal;
  /** Aborts `STOP_GRACE` after `stopping`. No question and no call waits longer. */
  readonly givingUp: AbortSignal;
  /** Registers a close function. They run in reverse order. */
  readonly onStop: (close: () => Promise<void>) => void;
}

/** Opens the foundation. Rejects with a `StoreError`. */
export async function layFoundation(
  config: Config,
  overrides: Overrides,
  { stopping, onStop }: Pick<Foundation, 'stopping' | 'onStop'>,
): Promise<Foundation> {
  const { random = Math.random, ticker, connect, listen, pictures, limits } = overrides;
  const isMachines = overrides.clock === undefined || overrides.monotonic !== undefined;
  const clock = openTrustedClock(machineClock(overrides));
  const errorLines = lines(2);
  const everyLine = overrides.log ?? createLog({ level: config.logLevel, redact: redactor(secretsOf(config)), to: errorLines });
  const { log, called } = createStoreOutageLog(everyLine, clock);
  followClock(clock, log);
  const startedAt = clock.reading().monotonic;
  const metrics = createMetrics();
  onStop(async () => metrics.stop());
  const givingUp = endOfGrace(clock, stopping, onStop);
  const open = async (): Promise<Store> =>
    openStore(config.storeUrl, {
      trustsCleanStop: true,
      onTime: isMachines ? (at) => clock.observe({ at, confirms: !mayShareMachine(config.storeUrl) }) : undefined,
    });
  const store = observedStore(overrides.store ?? (await open()), (call) => {
    metrics.stored(call);
    called(call);
  });
  onStop(async () => store.close());
  const hasOtherClocks = config.analytics.baseUrl !== undefined || config.platforms.length > 0;
  clock.begin({ lastSeen: isMachines && hasOtherClocks ? await readLastSeen(store) : undefined });
  return {
    config,
    clock,
    random,
    log,
    droppedLines: () => errorLines.dropped(),
    startedAt: () => later(clock.now(), Math.round(startedAt - clock.reading().monotonic)),
    store,
    metrics,
    stopping,
    givingUp,
    onStop,
    ...omitUndefined({ ticker, connect, listen, pictures, limits }),
  };
}

function endOfGrace(clock: Clock, stopping: AbortSignal, onStop: Foundation['onStop']): AbortSignal {
  const [givingUp, stopped] = [new AbortController(), new AbortController()];
  // Every question under way adds a listener, so the limit is lifted.
  setMaxListeners(0, givingUp.signal);
  const begin = (): void => {
    clock.sleep(STOP_GRACE, stopped.signal).then(
      () => givingUp.abort(new Error('the bot is stopping')),
      () => undefined,
    );
  };
  stopping.addEventListener('abort', begin, { once: true });
  onStop(async () => stopped.abort(new Error('stopped')));
  return givingUp.signal;
}

function machineClock({ clock, monotonic }: Overrides): MachineClock {
  if (clock === undefined) return { ...systemClock, monotonic: monotonic ?? (() => performance.now()) };
  return {
    now: () => clock.now(),
    sleep: async (milliseconds, signal) => clock.sleep(milliseconds, signal),
    monotonic: monotonic ?? (() => clock.now()),
  };
}

function followClock(clock: TrustedClock, log: Log): void {
  clock.onChange((change) => {
    switch (change.kind) {
      case 'jumped':
        return log.warn('clock.jumped', { ...change.doubt });
      case 'contradicted':
        return log.error('clock.wrong', { ...change.doubt });
      case 'confirmed':
      case 'set-back':
        return log.info('clock.trusted-again', { because: change.kind });
      default:
        return never(change);
    }
  });
}

export interface HttpServer {
  readonly url: string;
  /** Serves this app from now on. */
  show(app: Hono): void;
  /** Closes the server after the responses under way. Those that take much longer than `work` are cut. Idempotent. */
  close(work?: Promise<unknown>): Promise<void>;
}

/** Opens the server. Rejects with a `ConfigError` if the port is taken or not permitted. */
export async function openHttp(where: Config['http'], first: Hono, clock: Clock): Promise<HttpServer> {
  let shown = first;
  const listening = listen({ fetch: (request, env) => shown.fetch(request, env) }, where);
  const { server, url } = await listening.catch((cause: unknown) => Promise.reject(notListening(where, cause)));
  let closing: Promise<void> | undefined;
  return {
    url,
    show: (app) => void (shown = app),
    close: async (work) => (closing ??= closed(server, work === undefined ? { clock } : { clock, work })),
  };
}

const notListening = ({ host, port }: Config['http'], cause: unknown): ConfigError =>
  new ConfigError(
    `config: HTTP_PORT: ${host}:${port} cannot be listened on (${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}); choose another port, or 0 for any`,
    { cause },
  );

export type State = Awaited<ReturnType<typeof openState>>;

/** Opens the state. `answerable` resolves when single chats can be answered; all others are loaded after it. */
export async function openState(base: Foundation, answerable: Promise<void>) {
  const { config, store, clock, log, onStop, stopping: signal } = base;
  const { service, analytics } = await openService(base);
  const directory = createDirectory({ analytics, store, clock, log, only: config.projects, source: service.source });
  const watchlists = new Watchlists(store, { begin: answerable, signal, clock });
  const sources = new Sources({ store, clock, log });
  // Closed after the questions, because the sources of the last answer must be written.
  onStop(async () => sources.flush().catch((error: unknown) => log.warn('sources.not-written', { error })));
  // Queues load after the watchlists, because events need the watchlists and only the queues of their chats.
  const queues = startQueues(store, { begin: watchlists.loaded, signal });
  // Questions are answered during the load. What concerns other chats than the asker's waits for it.
  const loaded = Promise.all([watchlists.loaded, queues.loaded]);
  const watermarks = openWatermarks(store);
  const rules = await RuleStates.open(store);
  watchlists.evaluating(rules.evaluatedAt());
  const { pictures = openPictures({ clock, log }) } = base;
  onStop(async () => pictures.close());
  const [archive, links] = [openArchive(store), makeLinks(config.links)];
  const checkRecords = await openCheckRecords(store, async (key) => watermarks.flush(key));
  const calendar = new ChatCalendar({ analytics, directory, checkRecords, links, clock });
  // Filled once the platforms exist.
  const existing = Array.of<() => readonly Address[]>();
  const isHere = (chat: Address): boolean => existing.some((chats) => chats().includes(chat));
  const written = { entry: fileEntryOf, settings: settingsOf };
  const chatData = new KnownChats({ watchlists, queues, archive, links, calendar, directory, isHere, written, clock });
  const feedTokens = await FeedTokens.open({ store, clock });
  const publicUrl = config.http.isApiEnabled ? config.http.publicUrl : undefined;
  return {
    ...{ service, analytics, directory, watchlists, sources, queues, loaded, watermarks, rules, checkRecords, archive, pictures, links },
    ...{ existing, isHere, chatData, feedTokens },
    imports: openPendingImports({ store, clock }),
    onceLoaded: whenReady(loaded),
    reachability: createReachability({ watchlists, queues, rules, listed: config.access.listed, loaded, clock, log }),
    /** Undefined if no other process receives updates. */
    inbound: store.shared && openInbound(store.shared, { store, clock, log }),
    /** Filled once the platforms exist. */
    notifiers: Array.of<Notifier>(),
    /** Filled once the platforms exist. */
    platforms: Array.of<Platform>(),
    dataOwners: new Map<string, DataOwner>(),
    /** The data owners that keep data about chats of every platform. */
    everywhere: Array.of<DataOwner>(),
    refusedFiles: Array.of<() => readonly RefusedFile[]>(),
    forced: new Map<Address, string>(),
    feedAddresses: feedAddresses({ tokens: feedTokens, data: chatData, publicUrl }),
  };
}

/** Starts or reaches the service, and opens its client. */
async function openService(base: Foundation) {
  const { config, store, clock, random, log, metrics, isActive, connect, onStop } = base;
  const service = await reachService({ ...config.analytics, ...config.simulator, store, clock, onStop });
  const analytics = createAnalytics({
    ...config.analytics,
    ...{ baseUrl: service.url, source: service.source, store, clock, random, log, isActive, connect },
    // The embedded service uses this process's clock, so its dates say nothing.
    onDate: service.invented ? undefined : clock.observeDate,
    exchanged: metrics.exchanged,
  });
  closeInTime(analytics, base);
  await analytics.ready();
  return { service, analytics };
}

/** Closes the analytics client last. When the grace ends it is closed at once, which ends the calls under way. */
export function closeInTime(analytics: { close(): Promise<void> }, { givingUp, onStop }: Pick<Foundation, 'givingUp' | 'onStop'>): void {
  // The close in `onStop` reports the error.
  givingUp.addEventListener('abort', () => void analytics.close().catch(() => undefined), { once: true });
  onStop(async () => analytics.close());
}

function openInbound(shared: SharedEngine, deps: Pick<Foundation, 'store' | 'clock' | 'log'>) {
  const records = openInboundRecords(deps);
  return { records, forwarding: createForwarding({ role: 'active', records, shared, ...deps }) };
}
