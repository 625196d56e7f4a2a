/** This module runs backtests one after another. Each has one deadline for waiting, reading and evaluating. */
import type { Analytics } from '../analytics/analytics.js';
import { AnalyticsError } from '../analytics/errors.js';
import { BACKTEST_DAYS, backtest, type BacktestAnswer, type BacktestOrder } from '../alerts/backtest/backtest.js';
import type { CheckRecords } from '../alerts/checks/check-records.js';
import { DAY, SECOND, later, type Clock } from '../base/clock.js';
import { deadline } from '../base/deadline.js';
import { lanes } from '../base/lanes.js';
import { withoutRecording } from '../domain/calculations.js';
import type { Address } from '../chat/address.js';
import type { Measure } from '../domain/measures.js';
import { measuresIn } from '../domain/threshold-rule.js';
import type { Project } from '../domain/project.js';
import type { Instant } from '../domain/scalars.js';
import { subjectKey, type Feed, type FeedHistory } from '../feeds/feed.js';

/** Time for waiting behind others, reading and evaluating. */
const BACKTEST_DEADLINE = 45 * SECOND;
/** Requests that need no confirmation. */
const MAX_UNCONFIRMED = 3;
/** Assumed pages of a list that was never read. */
const USUAL_PAGES = 10;
/** Maximum age of cached responses; history does not change. */
const MAX_AGE = DAY;

/** Backtests that may wait. Each takes a fraction of a second. */
const MAX_WAITING = 20;
/** Backtests that may wait in one chat, so that it does not block the others. */
const MAX_WAITING_IN_CHAT = 4;

interface BacktestsDeps {
  readonly feeds: readonly Feed[];
  readonly checkRecords: Pick<CheckRecords, 'read'>;
  readonly clock: Clock;
}

type Order = BacktestOrder & { readonly analytics: Analytics };

export class BacktestQueue {
  readonly #feeds: BacktestsDeps['feeds'];
  readonly #checkRecords: BacktestsDeps['checkRecords'];
  readonly #clock: BacktestsDeps['clock'];
  readonly #evaluating = lanes();
  readonly #waiting = new Map<Address, number>();
  /** When lists for all projects were last read, by feed. */
  readonly #othersReadAt = new Map<string, Instant>();

  constructor({ feeds, checkRecords, clock }: BacktestsDeps) {
    this.#feeds = feeds;
    this.#checkRecords = checkRecords;
    this.#clock = clock;
  }

  async run(order: Order): Promise<BacktestAnswer> {
    const { chat } = order;
    const total = [...this.#waiting.values()].reduce((sum, count) => sum + count, 0);
    if (total >= MAX_WAITING || this.#waitingIn(chat) >= MAX_WAITING_IN_CHAT) return { kind: 'busy' };
    this.#waiting.set(chat, this.#waitingIn(chat) + 1);
    const late = () => new AnalyticsError({ trouble: 'timeout', row: 'backtest', detail: 'the backtest did not end within its deadline' });
    const stops = order.signal === undefined ? [] : [order.signal];
    const limit = deadline({ clock: this.#clock, milliseconds: BACKTEST_DEADLINE, late, stops });
    try {
      return await this.#run(order, limit.signal);
    } finally {
      if (this.#waitingIn(chat) > 1) this.#waiting.set(chat, this.#waitingIn(chat) - 1);
      else this.#waiting.delete(chat);
      limit.end();
    }
  }

  #waitingIn(chat: Address): number {
    return this.#waiting.get(chat) ?? 0;
  }

  #expectedCalls(
    { id }: Feed,
    { cost, otherLists = 0, measuredCost = 0 }: FeedHistory,
    { project, analytics, rules: { thresholds } }: Order & { readonly project: Project },
  ): number {
    const isRecent = (at: Instant | undefined): boolean => at !== undefined && this.#clock.now() - at < MAX_AGE;
    const pages = analytics.state().planLimits?.pages ?? USUAL_PAGES;
    // Checks cache the same pages, so after a recent check they cost nothing.
    const own = isRecent(this.#checkRecords.read(id, subjectKey(project))?.okAt) ? 0 : (cost ?? pages);
    const measured = thresholds.length === 0 ? 0 : measuredCost;
    return own + measured + (isRecent(this.#othersReadAt.get(id)) ? 0 : otherLists * pages);
  }

  async #run(order: Order, signal: AbortSignal): Promise<BacktestAnswer> {
    const { project, rules, confirmed, analytics } = order;
    const feed = this.#feeds.find(({ id }) => id === rules.kind);
    const history = feed?.history ?? { unavailable: `There are no alerts of the kind ${rules.kind}.` };
    if (feed === undefined || 'unavailable' in history) return { kind: 'no-history', because: [lackOf(history)] };
    if (project === undefined) return { kind: 'which-project' };
    const isMissing = (measure: Measure): boolean => !history.measures.includes(measure);
    const thresholds = rules.thresholds.filter((rule) => !measuresIn(rule).some(isMissing));
    const without = [...new Set(rules.thresholds.flatMap((rule) => measuresIn(rule).filter(isMissing)))];
    const lacks = [...without, ...(rules.thresholds.length === 0 || order.withEvents === true ? (['events'] as const) : [])].flatMap(
      (part) => history.lacks[part] ?? [],
    );
    if (thresholds.length === 0 && rules.thresholds.length > 0 && order.withEvents !== true) return { kind: 'no-history', because: lacks };
    const { budget } = analytics.state();
    const calls = this.#expectedCalls(feed, history, { ...order, project, rules: { ...rules, thresholds } });
    if (!confirmed && budget.limit !== undefined && calls > MAX_UNCONFIRMED)
      return { kind: 'costly', calls, left: Math.max(0, budget.limit - budget.used) };
    signal.throwIfAborted();
    let made = 0;
    const options = { signal, maxAge: MAX_AGE, meter: { count: () => void (made += 1), giveBack: () => void (made -= 1) } };
    const now = this.#clock.now();
    const past = await history.read(project, {
      analytics,
      options,
      now,
      from: later(now, -BACKTEST_DAYS * DAY),
      measured: thresholds.map(({ measure }) => measure),
    });
    this.#othersReadAt.set(feed.id, now);
    const report = await this.#evaluating.run('', async () =>
      withoutRecording(async () => backtest({ ...rules, thresholds }, past, { now, signal, withEvents: order.withEvents })),
    );
    return { kind: 'report', report, calls: made, resolution: history.resolution, without, lacks: [...report.lacks, ...lacks] };
  }
}

const lackOf = (history: Feed['history']): string => ('unavailable' in history ? history.unavailable : '');
