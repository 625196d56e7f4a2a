/** Assembles what turns a question into its reply. */
import { openTopicsOf } from '../alerts/delivery/deliver.js';
import { createSamples } from '../alerts/delivery/sample.js';
import { createWhy } from '../alerts/explanation/explain.js';
import { createHistory } from '../alerts/explanation/history.js';
import { platformOf, type Address } from '../chat/address.js';
import type { Answerer, Inbound } from '../chat/inbound.js';
import { mayAsk } from '../dispatch/access.js';
import { createAllowance, limitsFor } from '../dispatch/allowance.js';
import { createDispatcher, type BaseContext } from '../dispatch/dispatcher.js';
import { PlainWords, withReadings } from '../dispatch/plain-words.js';
import { createLiveProposals } from '../dispatch/completion.js';
import { isReading, loadRegistry } from '../dispatch/registry.js';
import { noteForced, withoutForced } from '../dispatch/watchlists/folder.js';
import { FEEDS } from '../feeds/index.js';
import { createFireDrills } from '../jobs/fire-drill.js';
import { BacktestQueue } from '../jobs/backtest-queue.js';
import { createPrivacy, privacyAfter } from '../operations/privacy.js';
import { fullReport, type ReportContext } from '../operations/status-report.js';
import { greetingHints, placeWord } from '../platforms/index.js';
import type { Foundation, State } from './foundation.js';
import type { Watching } from './watching.js';
import { SECOND, type Clock } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { signalOnce } from '../base/when-ready.js';

export type Answering = Awaited<ReturnType<typeof openAnswering>>;

interface Parts {
  readonly watching: Watching;
  readonly reporting: ReportContext;
}

export async function openAnswering(base: Foundation, state: State, parts: Parts) {
  const { config, store, clock, log, metrics, givingUp } = base;
  const { analytics, directory, watchlists, queues, loaded, reachability } = state;
  const registry = await loadRegistry({
    ...{ kinds: FEEDS.map(({ id }) => id), directory, watchlists },
    liveProposals: createLiveProposals({ analytics, clock }),
  });
  const words = new PlainWords({ registry, directory, watchlists, clock });
  const answerKnown = createDispatcher({
    ...{ registry, words, clock, log, givingUp },
    access: config.access,
    allowance: createAllowance({ clock, limits: limitsFor(config.analytics.requestsPerMonth), shared: store.shared }),
    ran: metrics.ran,
    formerNames: (circle) => reachability.formerNames(circle),
    onActivity: async (chat) => {
      await Promise.all([watchlists.fetch(chat), queues.fetch(chat)]);
      await reachability.take({ kind: 'back', chat });
    },
    context: contextOf(base, state, parts),
  });
  const answer: Answerer = async (inbound) => {
    // ACCESS may name a former address of the chat, which is known only once all chats are loaded.
    if (!mayAsk(inbound, config.access)) await loaded.catch(() => undefined);
    return answerKnown(inbound);
  };
  return {
    answer,
    catalogue: withReadings(registry.catalogue, words),
    isReading: async (asked: Pick<Inbound, 'ask'>) => isReading(asked, { registry, directory }),
  };
}

/** Returns what all commands can use. */
function contextOf({ config, clock, log }: Foundation, state: State, { watching, reporting }: Parts): BaseContext {
  const { analytics, directory, watchlists, imports, sources, queues, loaded, onceLoaded, rules, checkRecords, archive, forced } = state;
  const { links, notifiers, dataOwners, everywhere } = state;
  const { refresher, watcher, digests } = watching;
  const kinds = FEEDS.map(({ id, summary }) => ({ id, summary }));
  const openTopics = openTopicsOf({ topics: watching.topics, notifiers });
  const noted = config.watchlistFolder === undefined ? undefined : noteForced(config.watchlistFolder, { forced, clock });
  const forcedBy = (chat: Address): string | undefined => forced.get(chat);
  return {
    ...{ analytics, directory, imports, sources, kinds, links, placeWord, digests },
    watchlists: withoutForced(watchlists, omitUndefined({ forced, kinds, noted })),
    why: createWhy({
      ...{ archive, checkRecords, queues, watchlists, rules },
      now: () => clock.now(),
      delays: () => watching.drain.delays(),
      clockDoubt: clock.doubt,
      overdue: (feed, subject) => watcher.overdue().get(`${feed}/${subject}`),
      observed: (feed, subject) => watching.observation.check(feed, subject),
    }),
    history: createHistory({ archive, queues, watchlists, clock }),
    lastChecks: () => checkRecords.all(),
    refreshes: refresher,
    screens: watching.screens,
    backtests: new BacktestQueue({ feeds: FEEDS, checkRecords, clock }),
    fireDrills: createFireDrills({
      ...{ archive, checkRecords, watermarks: state.watermarks, queues, directory, watchlists, clock },
      edits: (chat) => openTopics?.(chat) !== undefined,
    }),
    platformHints: greetingHints,
    inviteLinks: (chat) => state.platforms.find(({ notifier }) => notifier.platform === platformOf(chat))?.inviteLinks?.(chat) ?? [],
    privacy: privacyAfter(loaded, createPrivacy({ watchlists, queues, rules, sources, dataOwners, everywhere, forcedBy, clock, log })),
    feeds: state.feedAddresses,
    samples: createSamples({ feeds: FEEDS, archive, queues, watchlists, clock }),
    firstChecks: {
      make: async (target, how) => watcher.firstChecks(target, how),
      expectedDelays: (targets) => watching.observation.delays(targets),
      checkedWithin: (target, kind) => watching.observation.checkedWithin(target, kind),
    },
    status: onceLoaded(async () => fullReport(reporting)),
    probe: async (chat) => {
      const notifier = notifiers.find(({ platform }) => platform === platformOf(chat));
      const blocked = `Alerts can't be posted here: the bot isn't connected to ${platformOf(chat)}. /status says why.`;
      return notifier?.probe(chat) ?? { missing: [], blocked };
    },
  };
}

/** Starts the drawing thread after the first questions. */
interface WarmUp {
  /** Called when a question was answered without a picture. */
  asked(): void;
  start(): void;
  stop(): void;
}

/** How long no question must come before the thread starts. It takes a core for half a second, which would delay answers. */
const QUIET = 2 * SECOND;
/** The thread starts after this many waits even if questions never pause. */
const MAX_WAITS = 30;

export function createWarmUp({ clock, warm }: { readonly clock: Clock; readonly warm: () => Promise<void> }): WarmUp {
  const stopping = new AbortController();
  const first = signalOnce();
  let questions = 0;

  async function run(): Promise<void> {
    await first.done;
    for (let waits = 0; waits < MAX_WAITS; waits += 1) {
      const before = questions;
      await clock.sleep(QUIET, stopping.signal);
      if (questions === before) break;
    }
    await warm();
  }
  return {
    asked() {
      questions += 1;
      first.signal();
    },
    start: () => void run().catch(() => undefined), // The bot is stopping, so nothing will be drawn.
    stop: () => stopping.abort(new Error('the bot is stopping')),
  };
}
