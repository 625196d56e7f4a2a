/** The monthly request budget. Calls are booked durably before they are made, so a crash may overcount but never undercount. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { DAY, type Clock, HOUR, instant } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import type { Instant } from '../domain/scalars.js';
import type { Collection, SharedEngine, Store } from '../store/store.js';
import type { ServiceState } from './analytics.js';
import { AnalyticsError } from './errors.js';
import type { Priority } from './rate-limiter.js';

const MAX_BLOCK = 20;
const MAX_PART_OF_LIMIT = 1 / 500;
/** Calls are booked in blocks of at most this part of what is left, so that blocks shrink towards the limit. */
const MAX_PART_LEFT = 1 / 10;
const WITHOUT_LIMIT = 200;

interface CallBlock {
  readonly limit: number | undefined;
  readonly left: number;
  /** Calls since the start. */
  readonly made: number;
}

export function blockSize({ limit, left, made }: CallBlock): number {
  const most = limit === undefined ? WITHOUT_LIMIT : Math.min(MAX_BLOCK, limit * MAX_PART_OF_LIMIT, left * MAX_PART_LEFT);
  return Math.max(1, Math.floor(Math.min(most, made)));
}

/** A booked call. */
export interface Booking {
  /** The key of the budget's period. */
  readonly key: string;
  readonly day: string;
  readonly isQuestion: boolean;
}

const count = z.int().min(0);
const ledger = {
  prefix: 'ledger',
  version: 1,
  schema: z.object({
    booked: count,
    questions: count.default(0),
    /** Calls by day, so that no count is lost when the reset day changes. */
    days: z.record(z.string(), count).default({}),
  }),
};
type Page = z.infer<typeof ledger.schema>;
const EMPTY: Page = { booked: 0, questions: 0, days: {} };

/** How long a ledger is kept after the end of its month. */
const KEPT_FOR = 400 * DAY;

interface Open {
  readonly period: Period;
  readonly carried: number;
  readonly page: Page;
  /** Calls that were booked by processes that only answer. */
  readonly answers: number;
  readonly ahead?: { readonly day: string; readonly calls: number };
}

export interface BudgetOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly limit: number | undefined;
  /** The range is 1 to 28. */
  readonly resetDay?: number | undefined;
  /** False if the active process writes the ledger. */
  readonly writesLedger?: boolean | undefined;
  readonly log: Log;
}

const COUNTED_FOR = 62 * DAY;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const UNLIMITED = { limit: NO_LIMIT, ttlMs: COUNTED_FOR };
const counterOf = ({ key }: Period): string => `budget/${key}`;
/** The key that counts the calls of processes that do not write the ledger. All of them are questions. */
const answersOf = ({ key }: Period): string => `answers/${key}`;

export class Budget {
  readonly #options: BudgetOptions;
  readonly #shared: SharedEngine | undefined;
  readonly #writesLedger: boolean;
  readonly #documents: Collection<Page>;
  /** Serialises bookings, so that two calls cannot both take the last one. */
  readonly #lane = lanes();
  #open: Open | undefined;
  #period: Period | undefined;
  #made = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#shared = options.store.shared;
    this.#writesLedger = options.writesLedger ?? true;
    this.#documents = options.store.collection(ledger);
  }

  async ready(): Promise<void> {
    await this.#lane.run('ledger', async () => this.#opened());
  }

  /** Books a call. Rejects with `budget-spent`, or with a `StoreError` if a limit is set. */
  async book(row: string, priority: Priority): Promise<Booking> {
    const { limit, log } = this.#options;
    try {
      return await this.#lane.run('ledger', async () => this.#book(row, priority));
    } catch (error) {
      if (limit !== undefined || error instanceof AnalyticsError) throw error;
      const period = this.#current();
      log.warn('analytics.ledger-unwritten', { row, error });
      return this.#take(this.#open?.period.key === period.key ? this.#open : { period, carried: 0, page: EMPTY, answers: 0 }, priority);
    }
  }

  /** Takes back a call of which certainly nothing was sent. If the store fails, the call stays counted. */
  async giveBack(booking: Booking): Promise<void> {
    try {
      await this.#lane.run('ledger', async () => this.#unbook(booking));
    } catch (error) {
      this.#options.log.warn('analytics.ledger-unwritten', { error });
    }
  }

  /** Returns the state without calls that were only booked. */
  state(): ServiceState['budget'] {
    const { clock, limit } = this.#options;
    const period = this.#current();
    const { carried = 0, page = EMPTY, answers = 0 } = this.#open?.period.key === period.key ? this.#open : {};
    const used = page.booked + carried;
    const counted = { used, questions: page.questions + answers, resetsAt: period.end };
    if (limit === undefined) return counted;
    const now = clock.now();
    const state = { limit, used, ...period, now };
    const perDay = callsPerDay(page.days, now);
    return {
      ...counted,
      limit,
      reserved: reservedFor(state),
      forChecks: leftForChecks(state),
      ...(perDay === undefined ? {} : { perDay }),
    };
  }

  /** Takes back unused bookings. If that fails, they stay counted. */
  async close(): Promise<void> {
    await this.#lane.run('ledger', async () => {
      if (this.#open?.ahead === undefined) return;
      const { ahead, ...month } = this.#open;
      try {
        if (this.#shared !== undefined && ahead.calls > 0) await this.#uncount(this.#shared, month.period, ahead.calls);
        if (this.#writesLedger) await this.#documents.set(month.period.key, month.page);
        this.#open = month;
      } catch (error) {
        this.#options.log.warn('analytics.ledger-unwritten', { booked: ahead.calls, error });
      }
    });
  }

  #current(): Period {
    const { clock, resetDay = 1 } = this.#options;
    const now = clock.now();
    if (this.#period === undefined || now < this.#period.start || now >= this.#period.end) this.#period = periodOf(now, resetDay);
    return this.#period;
  }

  async #opened(): Promise<Open> {
    const period = this.#current();
    if (this.#open?.period.key === period.key) return this.#open;
    const shared = this.#shared;
    const { found } = await this.#documents.list();
    const carried = found.reduce((total, [key, page]) => total + (key === period.key ? 0 : within(period, key, page)), 0);
    const page = found.find(([key]) => key === period.key)?.[1] ?? EMPTY;
    const open: Open =
      shared === undefined
        ? { period, carried, page, answers: 0 }
        : {
            ...{ period, carried },
            page: await this.#counted(shared, period, page),
            answers: (await shared.add(answersOf(period), 0, UNLIMITED)) ?? 0,
          };
    this.#open = open;
    const old = !this.#writesLedger ? [] : found.filter(([key]) => (periodNamed(key)?.end ?? period.start) < period.start - KEPT_FOR);
    for (const [key] of old)
      await this.#documents.delete(key).catch((error: unknown) => this.#options.log.warn('analytics.ledger-unwritten', { error }));
    return open;
  }

  /** Resolves with the page as counted by the engine. Processes that start at the same time may count it twice. */
  async #counted(engine: Pick<SharedEngine, 'add'>, period: Period, page: Page): Promise<Page> {
    const known = (await engine.add(counterOf(period), 0, UNLIMITED)) ?? 0;
    if (known < page.booked) await engine.add(counterOf(period), page.booked - known, UNLIMITED);
    return withCalls(page, dayOf(this.#options.clock.now()), Math.max(0, known - page.booked));
  }

  async #book(row: string, priority: Priority): Promise<Booking> {
    const { clock, limit } = this.#options;
    const month = await this.#opened();
    const { period, carried, page, ahead } = month;
    const used = page.booked + carried;
    const now = clock.now();
    const forChecks = limit === undefined ? Infinity : leftForChecks({ limit, used, ...period, now });
    if (limit !== undefined && used >= limit) throw this.#spent(row, period.end);
    if (limit !== undefined && priority === 'poll' && forChecks === 0) {
      const detail = `what is left of the ${limit} calls of this month is kept for questions`;
      throw new AnalyticsError({ trouble: 'budget-spent', row, detail, until: period.end });
    }
    const day = dayOf(now);
    if (ahead?.day === day && ahead.calls > 0) return this.#take({ ...month, ahead: { day, calls: ahead.calls - 1 } }, priority);
    const left = priority === 'poll' || limit === undefined ? forChecks : limit - used;
    const calls = blockSize({ limit, left, made: this.#made });
    if (this.#shared !== undefined) return this.#bookShared(this.#shared, month, { row, priority, day, calls });
    // The write may be durable although it failed; `close` corrects the count.
    this.#open = { ...month, ahead: { day, calls: 0 } };
    await this.#documents.set(period.key, withCalls(page, day, calls));
    return this.#take({ ...month, ahead: { day, calls: calls - 1 } }, priority);
  }

  async #bookShared(
    engine: SharedEngine,
    month: Open,
    { row, priority, day, calls }: { readonly row: string; readonly priority: Priority; readonly day: string; readonly calls: number },
  ): Promise<Booking> {
    const { period, carried, page } = month;
    const most = { limit: (this.#options.limit ?? NO_LIMIT) - carried, ttlMs: COUNTED_FOR };
    const whole = await engine.add(counterOf(period), calls, most);
    const booked = whole ?? (calls > 1 ? await engine.add(counterOf(period), 1, most) : undefined);
    if (booked === undefined) throw this.#spent(row, period.end);
    const own = whole === undefined ? 1 : calls;
    // Includes the calls of other processes, because exports and new engines start from the document.
    const all = withCalls(page, day, Math.max(0, booked - own - page.booked));
    const answers = (await engine.add(answersOf(period), this.#writesLedger ? 0 : own, UNLIMITED)) ?? month.answers;
    this.#open = { ...month, answers, page: all, ahead: { day, calls: 0 } };
    if (this.#writesLedger) await this.#documents.set(period.key, withCalls(all, day, own));
    return this.#take({ ...month, answers, page: all, ahead: { day, calls: own - 1 } }, priority);
  }

  #take(month: Open, priority: Priority): Booking {
    const day = dayOf(this.#options.clock.now());
    this.#made += 1;
    const isQuestion = this.#writesLedger && priority === 'question';
    this.#open = { ...month, page: withCalls(month.page, day, 1, isQuestion ? 1 : 0) };
    return { key: month.period.key, day, isQuestion };
  }

  #spent(row: string, until: Instant): AnalyticsError {
    const detail = `all ${this.#options.limit} calls of this month are used (ANALYTICS_REQUESTS_PER_MONTH)`;
    return new AnalyticsError({ trouble: 'budget-spent', row, detail, until });
  }

  /** Takes back a booking, unless it belongs to an earlier month, which no longer matters. */
  async #unbook({ key, day, isQuestion }: Booking): Promise<void> {
    const open = this.#open;
    if (open?.period.key !== key) return;
    const page = withCalls(open.page, day, -1, isQuestion ? -1 : 0);
    const answers = open.answers - (this.#shared !== undefined && !this.#writesLedger ? 1 : 0);
    const { ahead } = open;
    if (this.#shared !== undefined) await this.#uncount(this.#shared, open.period, 1);
    if (this.#writesLedger) await this.#documents.set(key, ahead === undefined ? page : withCalls(page, ahead.day, ahead.calls));
    this.#open = { ...(this.#open ?? open), answers, page };
  }

  /** Takes back calls that the engine counted but that were not made. */
  async #uncount(engine: Pick<SharedEngine, 'add'>, period: Period, calls: number): Promise<void> {
    for (const counter of [counterOf, ...(this.#writesLedger ? [] : [answersOf])]) await engine.add(counter(period), -calls, UNLIMITED);
  }
}

const withCalls = (page: Page, day: string, calls: number, questions = 0): Page => ({
  booked: page.booked + calls,
  questions: page.questions + questions,
  days: { ...page.days, [day]: (page.days[day] ?? 0) + calls },
});

/** Returns the calls of another ledger that fall into this period. */
function within({ start, end }: Period, key: string, { booked, days }: Page): number {
  const span = periodNamed(key);
  if (span === undefined || span.end <= start || span.start >= end) return 0;
  const dated = Object.values(days).reduce((total, one) => total + one, 0);
  const inside = Object.entries(days).reduce((total, [day, one]) => {
    const at = Date.parse(`${day}T00:00:00Z`);
    return total + (at >= start && at < end ? one : 0);
  }, 0);
  return inside + Math.max(0, booked - dated);
}

/** A period lasts from one reset day to the next, in UTC. */
interface Period {
  /** `2026-11`, or `2026-11-15` if it does not begin on the first. */
  readonly key: string;
  readonly start: Instant;
  /** The end is exclusive. */
  readonly end: Instant;
}

/** Returns the period of a moment. `resetDay` is 1 to 28. */
export function periodOf(at: Instant, resetDay: number): Period {
  const now = DateTime.fromMillis(at, { zone: 'utc' });
  const reset = now.startOf('month').set({ day: resetDay });
  const start = reset > now ? reset.minus({ months: 1 }) : reset;
  return {
    key: start.toFormat(resetDay === 1 ? 'yyyy-MM' : 'yyyy-MM-dd'),
    start: instant(start.toMillis()),
    end: instant(start.plus({ months: 1 }).toMillis()),
  };
}

export function periodNamed(key: string): Pick<Period, 'start' | 'end'> | undefined {
  const start = DateTime.fromISO(key, { zone: 'utc' });
  return start.isValid ? { start: instant(start.toMillis()), end: instant(start.plus({ months: 1 }).toMillis()) } : undefined;
}

const dayOf = (at: Instant): string => DateTime.fromMillis(at, { zone: 'utc' }).toFormat('yyyy-MM-dd');

const WHOLE_DAYS = 3;
const MIN_SPAN = 12 * HOUR;

/** Returns the mean requests per day over three whole days and today. Keys of `days` are like `2026-11-23`. */
export function callsPerDay(days: Readonly<Record<string, number>>, now: Instant): number | undefined {
  const earliest = Math.floor(now / DAY) * DAY - WHOLE_DAYS * DAY;
  const recent = Object.entries(days).flatMap(([day, calls]) => {
    const at = Date.parse(`${day}T00:00:00Z`);
    return at >= earliest && at <= now ? [{ at, calls }] : [];
  });
  const span = now - Math.min(...recent.map(({ at }) => at));
  return recent.length === 0 || span < MIN_SPAN ? undefined : (recent.reduce((total, { calls }) => total + calls, 0) / span) * DAY;
}

/** The part of the monthly budget that is kept for questions. It shrinks towards the period's end. */
export const QUESTION_SHARE = 0.2;

interface ShareState {
  readonly limit: number;
  readonly used: number;
  readonly start: Instant;
  readonly end: Instant;
  readonly now: Instant;
}

export function reservedFor({ limit, used, start, end, now }: ShareState): number {
  const leftPart = Math.min(1, Math.max(0, (end - now) / (end - start)));
  return Math.min(Math.max(0, limit - used), Math.ceil(limit * QUESTION_SHARE * leftPart));
}

export const leftForChecks = (state: ShareState): number => Math.max(0, state.limit - state.used - reservedFor(state));
