/** Documents and the analytics service. */
import { openCheckRecords } from '../alerts/checks/check-records.js';
import { openArchive } from '../alerts/queue/event-archive.js';
import { startQueues } from '../alerts/queue/queues.js';
import { openPendingImports } from '../alerts/watchlist/pending-imports.js';
import { createReachability } from '../alerts/watchlist/reachability.js';
import { startWatchlists } from '../alerts/watchlist/watchlists.js';
import { createAnalytics } from '../analytics/client.js';
import { createDirectory } from '../analytics/directory.js';
import { whenReady } from '../base/when-ready.js';
import { openPictures } from '../charts/pictures.js';
import type { Notifier } from '../chat/notifier.js';
import type { Platform } from '../chat/platform.js';
import type { DataOwner } from '../chat/privacy.js';
import { createForwarding } from '../inbound/forwarding.js';
import { openInboundRecords } from '../inbound/records.js';
import { makeLinks } from '../domain/links.js';
import { settleCheck } from '../jobs/settle-checks.js';
import { openWatermarks } from '../jobs/watermarks.js';
import { reachService } from '../simulator/embedded.js';
import { openSources } from '../sources/kept-sources.js';
import type { SharedEngine } from '../store/store.js';
import type { Foundation } from './foundation.js';

export type State = Awaited<ReturnType<typeof openState>>;

/** `answerable`: when single chats can be answered; the others are loaded after it. */
export async function openState(base: Foundation, answerable: Promise<void>) {
  const { config, store, clock, random, log, metrics, isActive, connect, onStop } = base;
  const service = await reachService({ ...config.analytics, ...config.simulator, store, clock, onStop });
  const analytics = createAnalytics({
    ...config.analytics,
    ...{ baseUrl: service.url, source: service.source, store, clock, random, log, isActive, connect },
    // The embedded service has the clock of this process.
    onDate: service.invented ? undefined : clock.observeDate,
    exchanged: metrics.exchanged,
  });
  closeInTime(analytics, base);
  await analytics.ready();
  const directory = createDirectory({ analytics, store, clock, log, only: config.projects, source: service.source });

  const { stopping: signal } = base;
  const watchlists = startWatchlists(store, { begin: answerable, signal });
  const sources = openSources({ store, clock, log });
  // After the last answer.
  onStop(async () => sources.flush().catch((error: unknown) => log.warn('sources.not-written', { error })));
  // After the watchlists: events need only those, and the queues of the chats that they concern.
  const queues = startQueues(store, { begin: watchlists.loaded, signal });
  // Questions are answered meanwhile; what concerns other chats than the asker's waits for it.
  const loaded = Promise.all([watchlists.loaded, queues.loaded]);
  const watermarks = openWatermarks(store);
  const { pictures = openPictures({ clock, log }) } = base;
  onStop(async () => pictures.close());
  // Filled once the platforms exist.
  const notifiers: Notifier[] = [];
  const platforms: Platform[] = [];
  return {
    service,
    analytics,
    directory,
    watchlists,
    imports: openPendingImports({ store, clock }),
    sources,
    queues,
    loaded,
    onceLoaded: whenReady(loaded),
    watermarks,
    checkRecords: await openCheckRecords(store, async (key) => settleCheck(key, { queues, watermarks })),
    archive: openArchive(store),
    reachability: createReachability({ watchlists, queues, listed: config.access.listed, loaded, clock, log }),
    /** Undefined: no other process receives updates. */
    inbound: store.shared && openInbound(store.shared, { store, clock, log }),
    pictures,
    links: makeLinks(config.links),
    notifiers,
    platforms,
    dataOwners: new Map<string, DataOwner>(),
  };
}

/** Last of all, and at the end of the grace also under the calls of questions, checks, refreshes and backtests. */
export function closeInTime(analytics: { close(): Promise<void> }, { givingUp, onStop }: Pick<Foundation, 'givingUp' | 'onStop'>): void {
  // The stop itself gets the error.
  givingUp.addEventListener('abort', () => void analytics.close().catch(() => undefined), { once: true });
  onStop(async () => analytics.close());
}

function openInbound(shared: SharedEngine, deps: Pick<Foundation, 'store' | 'clock' | 'log'>) {
  const records = openInboundRecords(deps);
  return { records, forwarding: createForwarding({ role: 'active', records, shared, ...deps }) };
}
