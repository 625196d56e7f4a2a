/** The bot's state in figures, for `/metrics`, notices and the heartbeat. */
import type { Trouble } from '../analytics/errors.js';
import type { Instant } from '../base/clock.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Drain } from '../jobs/drain.js';
import { budgetForecast, type BudgetForecast } from './budget-forecast.js';
import { feedFreshness, type FeedFreshness } from './freshness.js';
import type { Readiness, RoleName } from './readiness.js';
import { logReport, type ReportContext } from './status-report.js';
import { waitingItems, type WaitingItems } from './waiting-items.js';

/** All that is known of a process that stands by. */
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
  /** Unknown before the first call. */
  readonly service: { readonly up: boolean | undefined; readonly trouble: Trouble | undefined };
  readonly calls: BudgetForecast & { readonly used: number; readonly limit: number | undefined; readonly resetsAt: Instant };
  /** Of the store's disk, in bytes. */
  readonly diskFree: number | undefined;
  readonly droppedLogLines: number;
}

export interface BotStateContext extends Pick<
  ReportContext,
  'analytics' | 'cadence' | 'checkRecords' | 'clock' | 'droppedLines' | 'feeds' | 'notifiers' | 'queues' | 'startedAt' | 'watchlists'
> {
  readonly drain: Pick<Drain, 'running'>;
  readonly readiness: () => Promise<Readiness>;
  /** In bytes; undefined where the store has no disk here. */
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
