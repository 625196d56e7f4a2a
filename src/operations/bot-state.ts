/** Measures the bot's state, for `/metrics`, notices and the heartbeat. */
import type { Trouble } from '../analytics/errors.js';
import { DAY, MINUTE, instant, type Instant } from '../base/clock.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Drain } from '../jobs/drain.js';
import type { Readiness, RoleName } from './readiness.js';
import { logReport, type ReportContext } from './status-report.js';
import type { BudgetState } from '../analytics/analytics.js';
import { isAbsent, type CheckRecord } from '../alerts/checks/check-records.js';
import { waitingIn } from '../alerts/queue/queue.js';
import type { Queues } from '../alerts/queue/queues.js';
import { isAway, type Watchlists } from '../alerts/watchlist/watchlists.js';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The state of a standby. */
export interface StandbyState {
  readonly role: RoleName;
  readonly ready: boolean;
}

export interface BotState extends StandbyState {
  readonly now: Instant;
  readonly chats: number;
  readonly platforms: readonly { readonly name: string; readonly up: boolean; readonly tokenRefused: boolean }[];
  readonly feeds: readonly FeedFreshness[];
  readonly queue: WaitingItems;
  /** `up` is undefined before the first call. */
  readonly service: { readonly up: boolean | undefined; readonly trouble: Trouble | undefined };
  readonly calls: BudgetForecast & { readonly used: number; readonly limit: number | undefined; readonly resetsAt: Instant };
  /** The free space on the store's disk, in bytes. */
  readonly diskFree: number | undefined;
  readonly droppedLogLines: number;
}

export interface BotStateContext extends Pick<
  ReportContext,
  'analytics' | 'cadence' | 'checkRecords' | 'clock' | 'droppedLines' | 'feeds' | 'notifiers' | 'queues' | 'startedAt' | 'watchlists'
> {
  readonly drain: Pick<Drain, 'running'>;
  readonly readiness: () => Promise<Readiness>;
  /** Resolves with bytes; undefined if the store is not on a disk of this machine. */
  readonly diskFree: () => Promise<number | undefined>;
}

export async function botState(context: BotStateContext): Promise<BotState> {
  const { analytics, cadence, checkRecords, clock, drain, feeds, notifiers, queues, startedAt, watchlists } = context;
  const [{ role, notReady }, diskFree] = [await context.readiness(), await context.diskFree()];
  const platforms = await Promise.all(notifiers.map(async (one) => ({ name: one.platform, ...(await one.diagnose()) })));
  const now = clock.now();
  const { ok: serviceUp, trouble, budget } = analytics.state();
  const { left, runsOutAt, verdict } = budgetForecast(budget, now);
  const intervals = cadence?.().intervals ?? new Map<string, number>();
  const fresh = feedFreshness({ feeds, records: checkRecords.all(), intervals, startedAt, now });
  await yieldToEventLoop();
  const queue = await waitingItems({ queues, watchlists, drain });
  return {
    now,
    role,
    ready: notReady.length === 0,
    chats: watchlists.count(),
    platforms: platforms.map(({ name, ok, problem, tokenRefused }) => ({
      name,
      up: ok || problem !== undefined,
      tokenRefused: tokenRefused === true,
    })),
    feeds: fresh,
    queue,
    service: { up: serviceUp, trouble },
    calls: { used: budget.used, limit: budget.limit, left, resetsAt: budget.resetsAt, runsOutAt, verdict },
    diskFree,
    droppedLogLines: logReport(context).count,
  };
}

interface BudgetForecast {
  /** The number of requests that are left; undefined without a limit. */
  readonly left: number | undefined;
  /** When the requests are used up at the recent rate; undefined if unknown. */
  readonly runsOutAt: Instant | undefined;
  /** `early` means too early by more than a day and a tenth of the remaining time; `close`, by less. */
  readonly verdict: 'unknown' | 'lasts' | 'close' | 'early' | 'spent';
}

const MIN_EARLY = DAY;
const EARLY_PART = 1 / 10;

/** Forecasts when the monthly budget will be used up. */
export function budgetForecast({ used, limit, resetsAt, perDay }: BudgetState, now: Instant): BudgetForecast {
  if (limit === undefined) return { left: undefined, runsOutAt: undefined, verdict: 'unknown' };
  const left = Math.max(0, limit - used);
  if (left === 0) return { left, runsOutAt: now, verdict: 'spent' };
  if (perDay === undefined) return { left, runsOutAt: undefined, verdict: 'unknown' };
  if (perDay <= 0) return { left, runsOutAt: undefined, verdict: 'lasts' };
  const runsOutAt = instant(now + (left / perDay) * DAY);
  const early = resetsAt - runsOutAt;
  if (early <= 0) return { left, runsOutAt, verdict: 'lasts' };
  return { left, runsOutAt, verdict: early > Math.max(MIN_EARLY, (resetsAt - now) * EARLY_PART) ? 'early' : 'close' };
}

interface FeedFreshness {
  readonly id: string;
  /** The time of the last successful check of the subject that was checked longest ago. */
  readonly goodAt?: Instant | undefined;
  /** The check interval in milliseconds; infinite while the budget is used up. */
  readonly every?: number | undefined;
  /** Undefined if no data is stale. */
  readonly staleSince?: Instant | undefined;
}

/** Data is stale after this many intervals and this grace: two checks may fail before. */
const MISSED = 3;
const GRACE = 10 * MINUTE;

interface FreshnessInput {
  readonly feeds: readonly { readonly id: string }[];
  readonly records: readonly CheckRecord[];
  /** The intervals by `<feed>/<subject>`, in ms. Subjects without one are not checked. */
  readonly intervals: ReadonlyMap<string, number>;
  readonly startedAt: Instant;
  readonly now: Instant;
}

/** Computes how old the data of each feed is. */
export function feedFreshness({ feeds, records, intervals, startedAt, now }: FreshnessInput): readonly FeedFreshness[] {
  const found = new Map<string, { goodAt: number; every: number; staleSince: number }>();
  for (const record of records) {
    const every = intervals.get(`${record.feed}/${record.subject}`);
    const goodAt = record.okAt ?? record.failingSince;
    if (every === undefined || goodAt === undefined || isAbsent(record)) continue;
    const of = found.get(record.feed) ?? { goodAt: Infinity, every: 0, staleSince: Infinity };
    const isStale = now - Math.max(goodAt, startedAt) > MISSED * every + GRACE;
    found.set(record.feed, {
      goodAt: Math.min(of.goodAt, goodAt),
      every: Math.max(of.every, every),
      staleSince: isStale ? Math.min(of.staleSince, goodAt) : of.staleSince,
    });
  }
  return feeds.map(({ id }) => {
    const of = found.get(id);
    if (of === undefined) return { id };
    const { goodAt, every, staleSince } = of;
    return { id, goodAt: instant(goodAt), every, staleSince: Number.isFinite(staleSince) ? instant(staleSince) : undefined };
  });
}

interface WaitingItems {
  /** `away`: the bot is not in the chat. `not_permitted`: people there must act. */
  readonly items: Readonly<Record<'waiting' | 'retrying' | 'not_permitted' | 'away', number>>;
  /** Since when the oldest delivery could be sent. One that waits for its next try begins then, so one dead receiver is not a late bot. */
  readonly oldest: Instant | undefined;
}

interface WaitingItemsContext {
  readonly queues: Pick<Queues, 'busy' | 'read'>;
  readonly watchlists: Pick<Watchlists, 'read'>;
  readonly drain: Pick<Drain, 'running'>;
}

/** How many queues are counted before the event loop is yielded. */
const PART = 1_000;

/** Counts the waiting deliveries. */
export async function waitingItems({ queues, watchlists, drain }: WaitingItemsContext): Promise<WaitingItems> {
  const items = { waiting: 0, retrying: 0, not_permitted: 0, away: 0 };
  let oldest = Number.POSITIVE_INFINITY;
  for (const [index, address] of [...queues.busy()].entries()) {
    if (index > 0 && index % PART === 0) await yieldToEventLoop();
    const queue = queues.read(address);
    const { open } = queue;
    const isGone = isAway(watchlists.read(address));
    const state = isGone ? 'away' : open?.notPermitted === true ? 'not_permitted' : open?.problem === undefined ? 'waiting' : 'retrying';
    items[state] += waitingIn(queue);
    // A sealed delivery is sent at once or has failed. An unsealed one is due only while a delivery run is under way.
    if (open !== undefined && (state === 'waiting' || state === 'retrying'))
      oldest = Math.min(oldest, Math.max(open.sealedAt, open.notBefore));
  }
  for (const [address, since] of drain.running()) {
    const { open, waiting, prepared } = queues.read(address);
    const first = waiting[0]?.queuedAt ?? prepared?.[0]?.queuedAt;
    if (open === undefined && first !== undefined) oldest = Math.min(oldest, Math.max(since, first));
  }
  return { items, oldest: Number.isFinite(oldest) ? instant(oldest) : undefined };
}

/** Free space on the disk of the database, in bytes; undefined where unknown. */
export async function diskFree(storeUrl: string): Promise<number | undefined> {
  const file = /^sqlite:\/\/(.+)$/su.exec(storeUrl)?.[1];
  if (file === undefined) return undefined;
  try {
    const { bavail, bsize } = await statfs(dirname(file));
    return bavail * bsize;
  } catch {
    return undefined; // Some file systems do not report free space.
  }
}
