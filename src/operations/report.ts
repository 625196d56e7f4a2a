/** The state of the bot, for `/status`, the console and `/healthz`. Gathered from the modules, which compute it. */
import type { Analytics } from '../analytics/analytics.js';
import { gapOf, isAbsent, type CheckRecord, type CheckRecords, type OverdueCheck } from '../alerts/checks/check-records.js';
import type { Queues } from '../alerts/queue/queues.js';
import { sentLately } from '../alerts/queue/receipts.js';
import { isAway, type Watchlists } from '../alerts/watchlist/watchlists.js';
import { instant, type Clock } from '../base/clock.js';
import type { DroppedLines } from '../base/lines.js';
import type { Notifier } from '../chat/notifier.js';
import type { PanelState } from '../chat/panel.js';
import type { Instant } from '../domain/scalars.js';
import type { Feed } from '../feeds/feed.js';
import type { Cadence } from '../jobs/plan.js';
import { remedyOf, type Store } from '../store/store.js';

export interface ReportContext {
  readonly analytics: Analytics;
  /** The name of the service in a report: its host, or that it is embedded. */
  readonly serviceName: string;
  readonly store: Store;
  readonly feeds: readonly Feed[];
  readonly checkRecords: CheckRecords;
  readonly queues: Queues;
  readonly watchlists: Watchlists;
  readonly notifiers: readonly Notifier[];
  readonly clock: Clock;
  readonly startedAt: Instant;
  /** Log lines that could not be written. Default: none. */
  readonly droppedLines?: () => DroppedLines;
  /** Slugs of PROJECTS that the service does not list. Default: none. */
  readonly unknownProjects?: () => readonly string[];
  /** How often everything is checked. Default: not reported. */
  readonly cadence?: () => Pick<Cadence, 'intervals' | 'limited' | 'stretch'>;
  /** Checks that are long overdue. Default: none. */
  readonly overdue?: () => ReadonlyMap<string, OverdueCheck>;
}

export type FeedReport = PanelState['feeds'][number];

/** The records of what is checked now. Subjects that only absent chats watch have a record and are not checked. */
function checked({ checkRecords, cadence }: Pick<ReportContext, 'checkRecords' | 'cadence'>): readonly CheckRecord[] {
  const planned = cadence?.().intervals;
  return checkRecords.all().filter(({ feed, subject }) => planned === undefined || planned.has(`${feed}/${subject}`));
}

/** One line for each feed that checks anything. */
const feedReports = ({
  feeds,
  checkRecords,
  cadence,
}: Pick<ReportContext, 'feeds' | 'checkRecords' | 'cadence'>): readonly FeedReport[] => {
  const { intervals } = cadence?.() ?? { intervals: new Map<string, number>() };
  return feeds.map(({ id }) => {
    const records = checked({ checkRecords, cadence }).filter((look) => look.feed === id && !isAbsent(look));
    return {
      id,
      watched: records.length,
      failing: records.filter((look) => look.failures > 0).length,
      oldestLook: oldest(records),
      every: range(intervals, id),
    };
  });
};

/** The shortest and longest interval under this name; undefined where nothing is planned. */
function range(intervals: ReadonlyMap<string, number>, name: string): FeedReport['every'] {
  const own = [...intervals].flatMap(([key, every]) => (key.startsWith(`${name}/`) ? [every] : []));
  return own.length === 0 ? undefined : [Math.min(...own), Math.max(...own)];
}

/** The oldest success; undefined while something never succeeded. */
function oldest(records: readonly CheckRecord[]): Instant | undefined {
  const times = records.map((look) => look.okAt);
  return times.every((time) => time !== undefined) && times.length > 0 ? instant(Math.min(...times)) : undefined;
}

/** Pending alerts, absent chats excluded, and messages sent during the last day, by whole hours. */
export function deliveryReport({
  queues,
  watchlists,
  clock,
}: Pick<ReportContext, 'queues' | 'watchlists' | 'clock'>): PanelState['deliveries'] {
  const all = queues.all();
  const here = all.filter(({ address }) => !isAway(watchlists.read(address)));
  return {
    waiting: here.reduce((total, queue) => total + queue.waiting.length + (queue.open?.members.length ?? 0), 0),
    sent: all.reduce((total, queue) => total + sentLately(queue.sent, clock.now()), 0),
  };
}

export function panelState(context: ReportContext): PanelState {
  const { ok, trouble, budget, lastMs } = context.analytics.state();
  const says =
    ok === undefined ? 'not asked yet' : ok ? `ok${lastMs === undefined ? '' : ` (${lastMs} ms)`}` : `failing: ${trouble ?? 'unknown'}`;
  return {
    service: { ok: ok ?? true, says },
    feeds: feedReports(context).filter((feed) => feed.watched > 0),
    budget: { used: budget.used, limit: budget.limit },
    deliveries: deliveryReport(context),
  };
}

/** Everything `/status` says. */
export async function fullReport(context: ReportContext) {
  const { analytics, serviceName, watchlists, notifiers, startedAt } = context;
  const platforms = await Promise.all(notifiers.map(async (notifier) => ({ name: notifier.platform, ...(await notifier.diagnose()) })));
  const records = checked(context);
  const scopes = new Map(context.feeds.map(({ id, scope }) => [id, scope]));
  return {
    service: { ...analytics.state(), name: serviceName },
    platforms,
    store: await storeReport(context),
    log: logReport(context),
    unknownProjects: context.unknownProjects?.() ?? [],
    feeds: feedReports(context),
    gaps: records
      .filter((look) => !isAbsent(look))
      .map(gapOf)
      .filter((gap) => gap !== undefined),
    watching: {
      projects: new Set(
        records.filter(({ feed, subject }) => scopes.get(feed) === 'project' && subject !== 'all').map((look) => look.subject),
      ).size,
      wallets: watchlists.here.watched.wallets.size,
      chats: watchlists.all().length,
    },
    deliveries: deliveryReport(context),
    overdue: overdueReport(context),
    ...planned(context),
    runningSince: startedAt,
  };
}

/** How many checks are overdue, and since when: those that ran before, and those that never did. */
function overdueReport({ overdue }: ReportContext) {
  const all = [...(overdue?.().values() ?? [])];
  const of = (neverRan: boolean) => {
    const since = all.filter((one) => one.neverRan === neverRan).map((one) => one.since);
    return since.length === 0 ? undefined : { checks: since.length, since: instant(Math.min(...since)) };
  };
  return { late: of(false), first: of(true) };
}

/** What is planned besides the feeds: project discovery and wallet refreshes. */
function planned({ cadence }: ReportContext) {
  if (cadence === undefined) return {};
  const { intervals, limited, stretch } = cadence();
  return { plan: { limited, stretch, lists: range(intervals, 'detector'), refreshes: range(intervals, 'refresh') } };
}

/** `says` names the path, for operators; `problem` tells everybody what is wrong and what to do. */
export type StoreReport =
  { readonly ok: true; readonly says: string } | { readonly ok: false; readonly says: string; readonly problem: string };

/** Whether the store accepts writes, and if not, why. */
export async function storeReport({ store }: Pick<ReportContext, 'store'>): Promise<StoreReport> {
  try {
    await store.check();
    return { ok: true, says: 'ok' };
  } catch (cause) {
    return { ok: false, says: cause instanceof Error ? cause.message : 'failing', problem: remedyOf(cause) };
  }
}

const NONE_DROPPED: DroppedLines = { count: 0, because: undefined, failing: false };

/** How many log lines could not be written. */
export const logReport = ({ droppedLines }: Pick<ReportContext, 'droppedLines'>): DroppedLines => droppedLines?.() ?? NONE_DROPPED;
