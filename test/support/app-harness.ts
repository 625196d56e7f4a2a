/**
 * The bot without its jobs and platforms: the simulated service on the loopback, the real client, directory, watchlists and dispatcher, on a
 * memory store and a clock that only the test turns.
 */
import { DEFAULT_TEMPLATES, makeLinks } from '../../src/domain/links.js';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { createAnalytics } from '../../src/analytics/client.js';
import { createDirectory, type Directory } from '../../src/analytics/directory.js';
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import { createHistory } from '../../src/alerts/explanation/history.js';
import { openCheckRecords } from '../../src/alerts/checks/check-records.js';
import { openPendingImports } from '../../src/alerts/watchlist/pending-imports.js';
import { RuleStates } from '../../src/alerts/evaluation/rule-states.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { createSamples } from '../../src/alerts/delivery/sample.js';
import { openWatchlists } from '../../src/alerts/watchlist/watchlists.js';
import { createWhy } from '../../src/alerts/explanation/explain.js';
import { HOUR, SECOND, instant, type Clock } from '../../src/base/clock.js';
import type { Log } from '../../src/base/log.js';
import { address, circleOf, type Address } from '../../src/chat/address.js';
import type { Probe } from '../../src/chat/notifier.js';
import type { Inbound, Person } from '../../src/chat/inbound.js';
import type { ExpectedDelay } from '../../src/chat/status-strip.js';
import type { DataOwner } from '../../src/chat/privacy.js';
import type { Reply } from '../../src/chat/reply.js';
import { plainText } from '../../src/chat/plain-text.js';
import type { Context, FirstCheckCounts, Status } from '../../src/dispatch/context.js';
import { createAllowance, type AllowanceLimits } from '../../src/dispatch/allowance.js';
import { createDispatcher } from '../../src/dispatch/dispatcher.js';
import { parse } from '../../src/dispatch/parse.js';
import { withoutForced, type ForcedFiles } from '../../src/dispatch/watchlists/folder.js';
import { createLiveProposals } from '../../src/dispatch/completion.js';
import { loadRegistry } from '../../src/dispatch/registry.js';
import type { Access } from '../../src/dispatch/access.js';
import { FEEDS } from '../../src/feeds/index.js';
import { createFireDrills } from '../../src/jobs/fire-drill.js';
import { BacktestQueue } from '../../src/jobs/backtest-queue.js';
import { Digests } from '../../src/jobs/digest.js';
import { openWatermarks } from '../../src/jobs/watermarks.js';
import { Refresher } from '../../src/jobs/refresh.js';
import { createPrivacy } from '../../src/operations/privacy.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import type { PagePlan } from '../../src/simulator/route.js';
import { startSimulator } from '../../src/simulator/server.js';
import { FeedTokens, feedAddresses } from '../../src/platforms/api/feed-tokens.js';
import { greetingHints, placeWord } from '../../src/platforms/index.js';
import { Sources } from '../../src/sources/kept-sources.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { handClock } from './clock.js';
import { answerWith, reply as answerText, serve as listenFor } from './service.js';

export const KEY = 'a-key-for-tests';

const MANAGER: Person = { id: 'console/ada', name: 'Ada', manages: async () => true };
export const GUEST: Person = { id: 'console/bob', name: 'Bob', manages: async () => false };
export const CHAT = address('console', 'main');

export interface AppHarnessOptions {
  readonly start?: number;
  /** What stands between the bot and its directory, to count what it is asked. */
  readonly directory?: (real: Directory) => Directory;
  /** What stands between the bot and its store. */
  readonly store?: (real: Store) => Store;
  /** Who may ask. Default: only on the console. */
  readonly access?: Access;
  readonly seed?: string;
  /** Answers by path in the place of the simulated service: a `data`, or a whole `{data, meta}`. Every other path is a 404. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Where a service of the test answers, in the place of both. */
  readonly serviceUrl?: string;
  /** What closes the harness; default: the end of the test. */
  readonly onClose?: (close: () => Promise<void>) => void;
  readonly plan?: Partial<PagePlan>;
  readonly requestsPerMonth?: number;
  /** Requests a day that a person and a chat may cause. Default: any number. */
  readonly limits?: AllowanceLimits;
  /** What stands in the way of posting in a chat. */
  readonly probe?: Probe;
  /** What the first looks of `/watch` come to. */
  readonly checkRecords?: FirstCheckCounts;
  /** Default: no monthly limit. */
  readonly expectedDelays?: readonly ExpectedDelay[];
  /** Changes of every kind are seen within so many milliseconds. */
  readonly checkedWithin?: number;
  readonly status?: Partial<Status>;
  readonly inviteLinks?: Context['inviteLinks'];
  /** Where the bot is reached from outside. Default: nowhere. */
  readonly publicUrl?: string;
  /** What platforms keep by themselves. Default: nothing. */
  readonly dataOwners?: ReadonlyMap<string, DataOwner>;
}

/** An answer, as the chat gets it. */
export interface Said {
  readonly reply: Reply;
  /** Its full plain text. */
  readonly text: string;
}

export interface Written {
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export async function openAppHarness(options: AppHarnessOptions = {}) {
  const clock = handClock(options.start);
  const { store: wrap = (real) => real } = options;
  const store = wrap(await openStore('memory://'));
  const journal = memoryJournal();
  const { seed = 'harbor', plan, answers, serviceUrl, onClose = onTestFinished } = options;
  const embedded = async () =>
    answers === undefined ? startSimulator({ seed, pace: 1, clock, journal, apiKey: KEY, plan }) : startCrafted(answers);
  const service = serviceUrl === undefined ? await embedded() : { url: serviceUrl, close: async () => {} };
  const written: Written[] = [];
  const write =
    (): Log['info'] =>
    (event, fields = {}) =>
      void written.push({ event, fields });
  const log: Log = { error: write(), warn: write(), info: write(), debug: write() };
  const analytics = createAnalytics({
    baseUrl: service.url,
    apiKey: KEY,
    requestsPerSecond: 1_000,
    requestsPerMonth: options.requestsPerMonth,
    store,
    clock: hasty(clock),
    random: () => 1,
    log,
  });
  await analytics.ready();
  onClose(async () => {
    await analytics.close();
    await service.close();
    await store.close();
  });

  const { directory: around = (real) => real } = options;
  const directory = around(createDirectory({ analytics, store, clock, log }));
  const watchlists = await openWatchlists(store, { clock });
  const rules = await RuleStates.open(store);
  const kinds = FEEDS.map(({ id, summary }) => ({ id, summary }));
  const registry = await loadRegistry({
    ...{ kinds: kinds.map(({ id }) => id), directory, watchlists },
    liveProposals: createLiveProposals({ analytics, clock }),
  });
  const archive = openArchive(store);
  const queues = await openQueues(store);
  const checkRecords = await openCheckRecords(store);
  const why = createWhy({ ...{ archive, queues, watchlists }, checkRecords, now: () => clock.now() });
  const refresher = await Refresher.open({
    ...{ analytics, store, clock, log },
    watched: () => watchlists.here.watched.wallets,
    maxAge: HOUR,
    changed: async () => {},
  });
  onClose(async () => refresher.stop());
  const sources = new Sources({ store, clock, log });
  const feedTokens = await FeedTokens.open({ store, clock });
  const looked: unknown[] = [];
  const forced: ForcedFiles = new Map();
  const active: Address[] = [];
  const answer = createDispatcher({
    registry,
    clock,
    log,
    ...(options.limits === undefined ? {} : { allowance: createAllowance({ clock, limits: options.limits }) }),
    access: options.access ?? { open: false, listed: [], operators: [] },
    onActivity: async (chat) => void active.push(chat),
    context: {
      analytics,
      directory,
      watchlists: withoutForced(watchlists, { forced, kinds: FEEDS }),
      imports: openPendingImports({ store, clock }),
      sources,
      why,
      history: createHistory({ archive, queues, watchlists, clock }),
      lastChecks: () => checkRecords.all(),
      refreshes: refresher,
      screens: { standing: async () => ({ members: [], unread: 0 }) },
      backtests: new BacktestQueue({ feeds: FEEDS, checkRecords, clock }),
      fireDrills: createFireDrills({
        ...{ archive, checkRecords, watermarks: openWatermarks(store), queues, directory, watchlists, clock },
        edits: () => true,
      }),
      privacy: createPrivacy({
        ...{ watchlists, queues, rules, sources, dataOwners: options.dataOwners ?? new Map(), clock, log },
        forcedBy: (chat) => forced.get(chat),
      }),
      digests: new Digests({
        queues,
        watchlists,
        archive,
        checkRecords,
        watermarks: openWatermarks(store),
        directory,
        analytics,
        clock,
        log,
      }),
      samples: createSamples({ feeds: FEEDS, archive, queues, watchlists, clock }),
      feeds: feedAddresses({
        tokens: feedTokens,
        publicUrl: options.publicUrl,
        data: { formerly: (chat) => watchlists.formerly(circleOf(chat)) },
      }),
      kinds,
      links: makeLinks(DEFAULT_TEMPLATES),
      firstChecks: {
        make: async (target, { patience }) => {
          looked.push({ target, patience });
          return options.checkRecords ?? { done: 1, pending: 0, failed: 0 };
        },
        expectedDelays: () => options.expectedDelays,
        checkedWithin: () => options.checkedWithin,
      },
      platformHints: greetingHints,
      inviteLinks: options.inviteLinks ?? (() => []),
      placeWord,
      probe: async () => options.probe ?? { missing: [] },
      status: async () => ({
        service: { name: 'service', ...analytics.state() },
        platforms: [{ name: 'console', ok: true, says: 'ok' }],
        store: { ok: true, says: 'ok' },
        log: { count: 0, because: undefined, failing: false },
        feeds: kinds.map(({ id }) => ({ id, watched: 0, failing: 0 })),
        gaps: [],
        watching: { projects: 0, chats: 0 },
        deliveries: { waiting: 0, sent: 0 },
        runningSince: instant(clock.now() - 90 * SECOND),
        ...options.status,
      }),
    },
  });

  const ask = async (inbound: Pick<Inbound, 'ask'> & Partial<Inbound>): Promise<Said> => {
    const reply = await answer({ chat: CHAT, from: MANAGER, circles: ['console/operator'], ...inbound });
    return { reply, text: plainText(reply, clock.now()) };
  };

  return {
    clock,
    store,
    analytics,
    directory,
    watchlists,
    forced,
    queues,
    checkRecords,
    why,
    refresher,
    sources,
    registry,
    service,
    /** What was logged. */
    written,
    /** The first looks that were asked for. */
    looked,
    /** Chats with a question. */
    active,
    ask,
    /** Types a line, as someone who manages the chat unless said otherwise. */
    say: async (line: string, from: Person = MANAGER) => ask({ ask: { line }, from }),
    /** Tells the simulated world something: an event, a fault. */
    sim: async (command: unknown): Promise<void> => {
      const body = JSON.stringify(command);
      const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
      const alerted = await fetch(`${service.url}/__sim`, { method: 'POST', body, headers });
      if (!alerted.ok) throw new Error(`the simulator did not take that: ${await alerted.text()}`);
    },
    /** The buttons of a reply that do not lead to a command with options that fit it. A reply should have none. */
    deadButtons: async ({ actions }: Reply): Promise<readonly string[]> => {
      const dead: string[] = [];
      for (const { line } of actions) {
        try {
          const { command, values } = await parse({ line }, { commands: registry.commands, isName: async () => false });
          if (!command.args.safeParse(values).success) dead.push(line);
        } catch {
          dead.push(line);
        }
      }
      return dead;
    },
  };
}
export type AppHarness = Awaited<ReturnType<typeof openAppHarness>>;

/** A service that knows a few projects and, beyond them, just these answers. */
async function startCrafted(answers: Readonly<Record<string, unknown>>) {
  const projects = [
    { organizationSlug: 'tide', organizationName: 'Tidewater', tokenSymbol: 'TIDE', baseMint: 'TideMint' },
    { organizationSlug: 'heron', organizationName: 'Heron Flats', tokenSymbol: 'HERN' },
    ...['alder', 'glass-pier', 'spindrift', 'quarry-lane'].map((organizationSlug) => ({ organizationSlug })),
    { organizationSlug: 'all', organizationName: 'All & "Sundry"', tokenSymbol: 'ALL' },
  ];
  const known: Readonly<Record<string, unknown>> = { '/v1/global-dashboard/projects': projects, ...answers };
  const service = await listenFor((asked) => {
    const answer = known[asked.path];
    const whole = z.object({ data: z.unknown(), meta: z.unknown().optional() }).safeParse(answer);
    if (answer === undefined) answerText(asked, '{}', { status: 404 });
    else if (whole.success && 'data' in Object(answer)) answerText(asked, JSON.stringify(answer));
    else answerWith(asked, answer);
  });
  return { url: service.url, close: service.close };
}

/** Short waits (pace, retries) pass by turning the clock on; long ones, which are deadlines, wait for the test. */
const hasty = (clock: ReturnType<typeof handClock>): Clock => ({
  now: () => clock.now(),
  sleep: async (milliseconds, signal) => (milliseconds < 10 * SECOND ? clock.advance(milliseconds) : clock.sleep(milliseconds, signal)),
});
