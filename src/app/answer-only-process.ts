/** Runs a process that only answers questions, without lease, jobs and page. */
import { Hono } from 'hono';
import { release } from '../alerts/queue/queue.js';
import { queueCollection } from '../alerts/queue/queues.js';
import { ReadWatchlists } from '../alerts/watchlist/read-watchlists.js';
import { createAnalytics } from '../analytics/client.js';
import { createDirectory } from '../analytics/directory.js';
import { MINUTE } from '../base/clock.js';
import { openPictures } from '../charts/pictures.js';
import { platformOf, type Address } from '../chat/address.js';
import { ActiveOnlyError } from '../chat/forwarding.js';
import type { Answerer, Inbound } from '../chat/inbound.js';
import type { Platform } from '../chat/platform.js';
import { reply } from '../chat/reply.js';
import { ConfigError, type Config } from '../config.js';
import { mayAsk } from '../dispatch/access.js';
import { createAllowance, limitsFor } from '../dispatch/allowance.js';
import { isChange, loadRegistry } from '../dispatch/registry.js';
import { createDispatcher, type BaseContext } from '../dispatch/dispatcher.js';
import { createLiveProposals } from '../dispatch/completion.js';
import { PlainWords, withReadings } from '../dispatch/plain-words.js';
import { makeLinks } from '../domain/links.js';
import { FEEDS } from '../feeds/index.js';
import { createForwarding, openInboundRecords } from '../inbound/records.js';
import type { ConnectedPlatform } from '../platforms/descriptor.js';
import { greetingHints, placeWord } from '../platforms/index.js';
import { Sources } from '../sources/kept-sources.js';
import type { SharedEngine } from '../store/store.js';
import { closeInTime, openHttp, type Foundation } from './foundation.js';
import { monitorAnswers } from './monitoring.js';
import type { ActiveApp } from './standby.js';

/** Returns the platforms that such a process can answer. Throws a `ConfigError` if there are none. */
function answeringPlatforms({ analytics, platforms }: Config): readonly ConnectedPlatform[] {
  const able = platforms.filter(({ receivesOverHttp }) => receivesOverHttp);
  if (able.length === 0)
    throw new ConfigError(
      'config: ROLE: answer gets questions over HTTP only; set TELEGRAM_WEBHOOK_URL or DISCORD_INTERACTIONS_URL, or leave ROLE out',
    );
  if (analytics.baseUrl === undefined)
    throw new ConfigError('config: ROLE: answer cannot use the embedded service; set ANALYTICS_BASE_URL, or leave ROLE out');
  return able;
}

async function openAnalytics(base: Foundation, baseUrl: string) {
  const { config, store, clock, random, log, metrics } = base;
  const analytics = createAnalytics({
    ...{ ...config.analytics, baseUrl, store, clock, random, log },
    exchanged: metrics.exchanged,
    writesLedger: false,
    onDate: clock.observeDate,
  });
  closeInTime(analytics, base);
  await analytics.ready();
  return analytics;
}

/** Answers questions until it is stopped. */
export async function answerOnly(base: Foundation, shared: SharedEngine): Promise<ActiveApp> {
  const { config, store, clock, log, limits, onStop } = base;
  const connected = answeringPlatforms(config);
  const source = config.analytics.baseUrl ?? '';
  const analytics = await openAnalytics(base, source);
  const pictures = openPictures({ clock, log });
  onStop(async () => pictures.close());
  const platforms: Platform[] = [];
  const around = {
    ...(await openAnswers(base, shared, { analytics, platforms })),
    ...{ pictures, store, clock, log },
    onDate: clock.observeDate,
    // Ignored here, because the active process notices chat events when it sends.
    onChatEvent: async () => {},
    forwarding: createForwarding({ role: 'answer', records: openInboundRecords({ store, clock, log }), shared, clock, log }),
  };
  platforms.push(...(await Promise.all(connected.map(async ({ name, create }) => create({ ...around, limits: limits?.[name] })))));

  const http = await openRoutes(base, shared, { analytics, platforms });
  const flushing = keepFlushing(async () => analytics.flush(), base);
  onStop(async () => flushing.stop());
  onStop(async () => void (await Promise.all(platforms.map(async (platform) => platform.stop()))));
  for (const platform of platforms) platform.start();
  log.info('answering', { url: http.url, milliseconds: clock.now() - base.startedAt() });
  return {
    url: http.url,
    lines: [
      `page ${http.url}`,
      ...connected.flatMap(({ startLines }) => startLines),
      `service ${source}`,
      `store ${config.storePlace}`,
      'answers questions only',
    ],
    serviceUrl: source,
    idle: async () => {},
    warm: () => void pictures.warm(),
  };
}

interface Asked {
  readonly analytics: Awaited<ReturnType<typeof openAnalytics>>;
  /** Filled once the platforms exist. */
  readonly platforms: readonly Platform[];
}

/** Opens what turns a question into its reply, and completes half-typed ones. */
async function openAnswers(base: Foundation, shared: SharedEngine, { analytics, platforms }: Asked) {
  const { config, store, clock, log, metrics, onStop } = base;
  const directory = createDirectory({ analytics, store, clock, log, only: config.projects });
  const sources = new Sources({ store, clock, log });
  onStop(async () => sources.flush().catch((error: unknown) => log.warn('sources.not-written', { error })));
  const watchlists = new ReadWatchlists(store, activeOnly);
  const registry = await loadRegistry({
    ...{ kinds: FEEDS.map(({ id }) => id), directory, watchlists },
    liveProposals: createLiveProposals({ analytics, clock }),
  });
  const words = new PlainWords({ registry, directory, watchlists, clock });
  const catalogue = withReadings(registry.catalogue, words);
  const answerHere = createDispatcher({
    ...{ registry, words, clock, log },
    access: config.access,
    givingUp: base.givingUp,
    ran: metrics.ran,
    allowance: createAllowance({ clock, limits: limitsFor(config.analytics.requestsPerMonth), shared }),
    onActivity: createReader(base, watchlists),
    context: {
      ...activeOnlyPorts(config.walletMaxAgeMinutes * MINUTE),
      ...{ analytics, directory, watchlists, sources, placeWord },
      kinds: FEEDS.map(({ id, summary }) => ({ id, summary })),
      links: makeLinks(config.links),
      platformHints: greetingHints,
      inviteLinks: (chat) => platforms.find(({ notifier }) => notifier.platform === platformOf(chat))?.inviteLinks?.(chat) ?? [],
    },
  });
  return {
    answer: withoutChanges(answerHere, async (inbound) => isChange(inbound, { registry, directory }), config.access),
    catalogue: {
      ...catalogue,
      async complete(line: string, chat: Address, limit: number) {
        await watchlists.fetch(chat).catch(() => undefined);
        return catalogue.complete(line, chat, limit);
      },
    },
  };
}

async function openRoutes(
  base: Foundation,
  shared: SharedEngine,
  { analytics, platforms }: { readonly analytics: Awaited<ReturnType<typeof openAnalytics>>; readonly platforms: readonly Platform[] },
) {
  const app = new Hono();
  const monitoring = monitorAnswers(base, shared, { analytics, notifiers: platforms.map(({ notifier }) => notifier) });
  for (const routes of [...platforms.flatMap((one) => one.routes ?? []), ...monitoring]) app.route(routes.path, routes.app);
  const http = await openHttp(base.config.http, app, base.clock);
  base.onStop(async () => http.close());
  return http;
}

/** Forwards to the active process what changes something, and people who are admitted only under a moved chat's former address. */
const withoutChanges =
  (answer: Answerer, changes: (inbound: Inbound) => Promise<boolean>, access: Config['access']): Answerer =>
  async (inbound) => {
    try {
      if (!mayAsk(inbound, access) || (await changes(inbound))) throw activeOnly();
      return await answer(inbound);
    } catch (error) {
      if (inbound.withoutButtons !== true || !(error instanceof ActiveOnlyError)) throw error;
      return reply({ tone: 'warning', finding: ['Ask me that in a chat with me.'], audience: 'asker' });
    }
  };

/** Reads a chat before its question. The active process answers for a chat that left or whose queue waits for its return. */
function createReader({ store, clock }: Foundation, watchlists: ReadWatchlists): (chat: Address) => Promise<void> {
  const queues = queueCollection(store);
  return async (chat) => {
    const [own, { found }] = await Promise.all([queues.get(chat), queues.list(`${chat}/`), watchlists.fetch(chat)]);
    const waits = [...(own === undefined ? [] : [own]), ...found.map(([, queue]) => queue)].some(
      (queue) => release(queue, clock.now()) !== queue,
    );
    if (waits || watchlists.under(chat).some((one) => watchlists.read(one).left !== undefined)) throw activeOnly();
  };
}

function keepFlushing(flush: () => Promise<void>, { clock, log }: Foundation): { stop(): Promise<void> } {
  const over = new AbortController();
  const running = (async () => {
    while (!over.signal.aborted) {
      await clock.sleep(MINUTE, over.signal).catch(() => undefined);
      await flush().catch((error: unknown) => log.warn('analytics.not-flushed', { error }));
    }
  })();
  return {
    async stop() {
      over.abort(new Error('the bot is stopping'));
      await running;
    },
  };
}

const activeOnly = (): ActiveOnlyError => new ActiveOnlyError();
const refuse = (): never => {
  throw activeOnly();
};
const refuseLater = async (): Promise<never> => refuse();

const activeOnlyPorts = (maxAge: number) =>
  ({
    imports: { keep: refuseLater, read: refuseLater },
    why: {
      ...{ ofDelivery: refuseLater, lately: refuseLater, ofProposal: refuseLater, ofSilence: refuseLater },
      ...{ marketNamed: refuseLater, clockDoubt: refuse },
    },
    history: { page: refuseLater, delivery: refuseLater },
    lastChecks: refuse,
    refreshes: { maxAge, standing: refuse, refresh: refuseLater },
    screens: { standing: refuseLater },
    backtests: { run: refuseLater },
    fireDrills: { replay: refuseLater },
    privacy: { stored: refuseLater, forgetPerson: refuseLater, forgetChat: refuseLater },
    digests: { preview: refuseLater, state: refuse },
    feeds: { isPublic: false, read: refuse, create: refuseLater, revoke: refuseLater },
    samples: { post: refuseLater },
    firstChecks: { make: refuseLater, expectedDelays: refuse, checkedWithin: refuse },
    status: refuseLater,
    probe: refuseLater,
  }) satisfies Partial<BaseContext>;
