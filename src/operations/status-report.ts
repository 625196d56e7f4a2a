/** Reports the state of the bot for `/status`, the console and `/healthz`. */
import type { Analytics } from '../analytics/analytics.js';
import { gapOf, isAbsent, type CheckRecord, type CheckRecords, type OverdueCheck } from '../alerts/checks/check-records.js';
import type { DeliveryDelay } from '../alerts/delivery/deliver.js';
import { waitingIn } from '../alerts/queue/queue.js';
import type { Queues } from '../alerts/queue/queues.js';
import { sentLately } from '../alerts/queue/receipts.js';
import { isAway, type Watchlists } from '../alerts/watchlist/watchlists.js';
import { instant, type Clock } from '../base/clock.js';
import type { DroppedLines } from '../base/line-writer.js';
import type { ClockDoubt } from '../base/trusted-clock.js';
import type { Address } from '../chat/address.js';
import type { Notifier } from '../chat/notifier.js';
import type { PanelState } from '../chat/status-strip.js';
import type { Instant } from '../domain/scalars.js';
import type { Feed } from '../feeds/feed.js';
import type { PlanObservation } from '../jobs/expected-delays.js';
import type { Cadence } from '../jobs/plan.js';
import { remedyOf, type Store } from '../store/store.js';

export interface ReportContext {
  readonly analytics: Analytics;
  readonly serviceName: string;
  /** True if the embedded service is used; false by default. */
  readonly invented?: boolean;
  readonly store: Store;
  readonly feeds: readonly Feed[];
  readonly checkRecords: CheckRecords;
  readonly queues: Queues;
  readonly watchlists: Watchlists;
  readonly notifiers: readonly Notifier[];
  readonly clock: Clock;
  readonly startedAt: Instant;
  /** The dropped log lines, by default none. */
  readonly droppedLines?: () => DroppedLines;
  /** Slugs in PROJECTS that the service does not list, by default none. */
  readonly unknownProjects?: () => readonly string[];
  /** Not reported if undefined. */
  readonly cadence?: () => Pick<Cadence, 'intervals' | 'limited' | 'stretch'>;
  /** Not reported if undefined. */
  readonly observation?: Pick<PlanObservation, 'delays' | 'lists'>;
  readonly overdue?: () => ReadonlyMap<string, OverdueCheck>;
  /** The delays of deliveries, by default none. */
  readonly delays?: () => ReadonlyMap<Address, DeliveryDelay>;
  /** Why the clock is not followed; by default it is. */
  readonly clockDoubt?: () => ClockDoubt | undefined;
}

export type FeedReport = PanelState['feeds'][number];

/** Returns the planned subjects. Subjects of unreachable chats are not checked. */
function checked({ checkRecords, cadence }: Pick<ReportContext, 'checkRecords' | 'cadence'>): readonly CheckRecord[] {
  const planned = cadence?.().intervals;
  return checkRecords.all().filter(({ feed, subject }) => planned === undefined || planned.has(`${feed}/${subject}`));
}

const feedReports = ({
  feeds,
  checkRecords,
  cadence,
  observation,
}: Pick<ReportContext, 'feeds' | 'checkRecords' | 'cadence' | 'observation'>): readonly FeedReport[] => {
  const { intervals } = cadence?.() ?? { intervals: new Map<string, number>() };
  const delays = observation?.delays();
  const every = ranges(intervals);
  const byKind = new Map<string, CheckRecord[]>(feeds.map(({ id }) => [id, []]));
  for (const record of checked({ checkRecords, cadence })) if (!isAbsent(record)) byKind.get(record.feed)?.push(record);
  return feeds.map(({ id }) => {
    const records = byKind.get(id) ?? [];
    return {
      id,
      watched: records.length,
      failing: records.filter((record) => record.failures > 0).length,
      oldestCheck: oldest(records),
      every: every.get(id),
      expected: delays?.find(({ kind }) => kind === id),
    };
  });
};

/** Returns the shortest and longest interval of each kind with a planned check. */
function ranges(intervals: ReadonlyMap<string, number>): ReadonlyMap<string, FeedReport['every']> {
  const found = new Map<string, readonly [number, number]>();
  for (const [key, every] of intervals) {
    const kind = key.slice(0, key.indexOf('/'));
    const [low, high] = found.get(kind) ?? [every, every];
    found.set(kind, [Math.min(low, every), Math.max(high, every)]);
  }
  return found;
}

/** Returns undefined while a check has never succeeded. */
function oldest(records: readonly CheckRecord[]): Instant | undefined {
  const times = records.map((record) => record.okAt);
  return times.every((time) => time !== undefined) && times.length > 0 ? instant(Math.min(...times)) : undefined;
}

/** Counts pending deliveries, without unreachable chats, and those sent in the last day. */
export function deliveryReport({
  queues,
  watchlists,
  clock,
}: Pick<ReportContext, 'queues' | 'watchlists' | 'clock'>): PanelState['deliveries'] {
  const all = queues.all();
  const here = all.filter(({ address }) => !isAway(watchlists.read(address)));
  return {
    waiting: here.reduce((total, queue) => total + waitingIn(queue), 0),
    sent: all.reduce((total, queue) => total + sentLately(queue.sent, clock.now()), 0),
  };
}

/** `stored` checks the store by a write. */
export async function panelState(context: ReportContext, stored: () => Promise<StoreReport>): Promise<PanelState> {
  const store = await stored();
  const { ok, trouble, budget, lastMs } = context.analytics.state();
  const says =
    ok === undefined ? 'not asked yet' : ok ? `ok${lastMs === undefined ? '' : ` (${lastMs} ms)`}` : `failing: ${trouble ?? 'unknown'}`;
  return {
    service: { ok: ok ?? true, says, invented: context.invented ?? false },
    feeds: feedReports(context).filter((feed) => feed.watched > 0),
    budget: { used: budget.used, limit: budget.limit },
    deliveries: deliveryReport(context),
    store: store.ok ? { ok: true } : { ok: false, problem: store.problem },
  };
}

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
      .filter((record) => !isAbsent(record))
      .map(gapOf)
      .filter((gap) => gap !== undefined),
    watching: {
      projects: new Set(
        records.filter((record) => scopes.get(record.feed) === 'project' && !isAbsent(record)).map((record) => record.subject),
      ).size,
      wallets: watchlists.here.watched.wallets.size,
      chats: watchlists.count(),
    },
    deliveries: deliveryReport(context),
    overdue: overdueReport(context),
    lateChats: lateChats(context),
    ...planned(context),
    lists: context.observation?.lists() ?? [],
    clockDoubt: context.clockDoubt?.(),
    runningSince: startedAt,
  };
}

/** Returns chats whose alerts wait much longer than planned, without those that the platform makes wait. */
export function lateChats({ delays }: Pick<ReportContext, 'delays'>): { readonly chats: number; readonly since: Instant } | undefined {
  const since = [...(delays?.().values() ?? [])].flatMap((delay) => (delay.pausedUntil === undefined ? [delay.since] : []));
  return since.length === 0 ? undefined : { chats: since.length, since: instant(Math.min(...since)) };
}

function overdueReport({ overdue }: ReportContext) {
  const all = [...(overdue?.().values() ?? [])];
  const of = (neverRan: boolean) => {
    const since = all.filter((one) => one.neverRan === neverRan).map((one) => one.since);
    return since.length === 0 ? undefined : { checks: since.length, since: instant(Math.min(...since)) };
  };
  return { late: of(false), first: of(true) };
}

function planned({ cadence }: ReportContext) {
  if (cadence === undefined) return {};
  const { intervals, limited, stretch } = cadence();
  return { plan: { limited, stretch, refreshes: ranges(intervals).get('refresh') } };
}

/** `says` names the path and is for operators; `problem` is for everybody. */
export type StoreReport =
  { readonly ok: true; readonly says: string } | { readonly ok: false; readonly says: string; readonly problem: string };

export async function storeReport({ store }: Pick<ReportContext, 'store'>): Promise<StoreReport> {
  try {
    await store.check();
    return { ok: true, says: 'ok' };
  } catch (cause) {
    return { ok: false, says: cause instanceof Error ? cause.message : 'failing', problem: remedyOf(cause) };
  }
}

const NONE_DROPPED: DroppedLines = { count: 0, because: undefined, failing: false };

export const logReport = ({ droppedLines }: Pick<ReportContext, 'droppedLines'>): DroppedLines => droppedLines?.() ?? NONE_DROPPED;
