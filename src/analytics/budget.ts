/** Monthly request budget, booked durably before calls: a crash may overcount, never undercount. */
import { z } from 'zod';
import { DAY, type Clock, type Instant } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import type { SharedEngine, Store } from '../store/store.js';
import type { ServiceState } from './analytics.js';
import { callsPerDay, dayOf, leftForChecks, periodNamed, periodOf, reservedFor, type Period } from './billing-month.js';
import { AnalyticsError } from './errors.js';
import type { Priority } from './rate-limiter.js';

const MAX_BLOCK = 20;
const MAX_PART_OF_LIMIT = 1 / 500;
/** Blocks shrink towards the limit. */
const MAX_PART_LEFT = 1 / 10;
const WITHOUT_LIMIT = 200;

interface CallBlock {
  readonly limit: number | undefined;
  readonly left: number;
  /** Since the start. */
  readonly made: number;
}

export function blockSize({ limit, left, made }: CallBlock): number {
  const most = limit === undefined ? WITHOUT_LIMIT : Math.min(MAX_BLOCK, limit * MAX_PART_OF_LIMIT, left * MAX_PART_LEFT);
  return Math.max(1, Math.floor(Math.min(most, made)));
}

/** A call that is counted. */
export interface Booking {
  /** Of its month. */
  readonly key: string;
  readonly day: string;
  readonly isQuestion: boolean;
}

export interface Budget {
  /** Rejects with `budget-spent`, or a `StoreError` when a limit is set. */
  book(row: string, priority: Priority): Promise<Booking>;
  /** For a call of which certainly nothing was sent. If the store fails, it stays counted. */
  giveBack(booking: Booking): Promise<void>;
  /** Without those only booked. */
  state(): ServiceState['budget'];
  ready(): Promise<void>;
  /** If it fails, booked calls stay counted. */
  close(): Promise<void>;
}

const count = z.int().min(0);
const ledger = {
  prefix: 'ledger',
  version: 1,
  schema: z.object({
    booked: count,
    questions: count.default(0),
    /** Kept so that a changed reset day loses nothing. */
    days: z.record(z.string(), count).default({}),
  }),
};
type Page = z.infer<typeof ledger.schema>;
const EMPTY: Page = { booked: 0, questions: 0, days: {} };

/** After the end of its month. */
const KEPT_FOR = 400 * DAY;

interface Open {
  readonly period: Period;
  readonly carried: number;
  readonly page: Page;
  /** Booked by processes that only answer. */
  readonly answers: number;
  readonly ahead?: { readonly day: string; readonly calls: number };
}

export interface BudgetOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly limit: number | undefined;
  /** 1 to 28. */
  readonly resetDay?: number | undefined;
  /** False: the active process does. */
  readonly writesLedger?: boolean | undefined;
  readonly log: Log;
}

const COUNTED_FOR = 62 * DAY;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const UNLIMITED = { limit: NO_LIMIT, ttlMs: COUNTED_FOR };
const counterOf = ({ key }: Period): string => `budget/${key}`;
/** Of the same calls those that processes without the ledger booked: all of them are questions. */
const answersOf = ({ key }: Period): string => `answers/${key}`;

export function createBudget({ store, clock, limit, resetDay = 1, writesLedger = true, log }: BudgetOptions): Budget {
  const { shared } = store;
  const documents = store.collection(ledger);
  // Serialised, so that two calls cannot both take the last one.
  const lane = lanes();
  let open: Open | undefined;
  let made = 0;

  let known: Period | undefined;
  const current = (): Period => {
    const now = clock.now();
    if (known === undefined || now < known.start || now >= known.end) known = periodOf(now, resetDay);
    return known;
  };

  /** As counted by the engine. Processes that begin at once may count it twice. */
  const counted = async (engine: Pick<SharedEngine, 'add'>, period: Period, page: Page): Promise<Page> => {
    const known = (await engine.add(counterOf(period), 0, UNLIMITED)) ?? 0;
    if (known < page.booked) await engine.add(counterOf(period), page.booked - known, UNLIMITED);
    return withCalls(page, dayOf(clock.now()), Math.max(0, known - page.booked));
  };

  const opened = async (): Promise<Open> => {
    const period = current();
    if (open?.period.key === period.key) return open;
    const { found } = await documents.list();
    const carried = found.reduce((total, [key, page]) => total + (key === period.key ? 0 : within(period, key, page)), 0);
    const page = found.find(([key]) => key === period.key)?.[1] ?? EMPTY;
    open =
      shared === undefined
        ? { period, carried, page, answers: 0 }
        : { period, carried, page: await counted(shared, period, page), answers: (await shared.add(answersOf(period), 0, UNLIMITED)) ?? 0 };
    const old = !writesLedger ? [] : found.filter(([key]) => (periodNamed(key)?.end ?? period.start) < period.start - KEPT_FOR);
    for (const [key] of old) await documents.delete(key).catch((error: unknown) => log.warn('analytics.ledger-unwritten', { error }));
    return open;
  };

  const take = (month: Open, priority: Priority): Booking => {
    const day = dayOf(clock.now());
    made += 1;
    const isQuestion = writesLedger && priority === 'question';
    open = { ...month, page: withCalls(month.page, day, 1, isQuestion ? 1 : 0) };
    return { key: month.period.key, day, isQuestion };
  };

  const spent = (row: string, until: Instant): AnalyticsError => {
    const detail = `all ${limit} calls of this month are used (ANALYTICS_REQUESTS_PER_MONTH)`;
    return new AnalyticsError({ trouble: 'budget-spent', row, detail, until });
  };
  const write = async (row: string, priority: Priority): Promise<Booking> => {
    const month = await opened();
    const { period, carried, page, ahead } = month;
    const used = page.booked + carried;
    const until = period.end;
    const now = clock.now();
    const forChecks = limit === undefined ? Infinity : leftForChecks({ limit, used, ...period, now });
    if (limit !== undefined && used >= limit) throw spent(row, until);
    if (limit !== undefined && priority === 'poll' && forChecks === 0) {
      const detail = `what is left of the ${limit} calls of this month is kept for questions`;
      throw new AnalyticsError({ trouble: 'budget-spent', row, detail, until });
    }
    const day = dayOf(now);
    if (ahead?.day === day && ahead.calls > 0) return take({ ...month, ahead: { day, calls: ahead.calls - 1 } }, priority);
    const left = priority === 'poll' || limit === undefined ? forChecks : limit - used;
    const calls = blockSize({ limit, left, made });
    if (shared !== undefined) {
      const most = { limit: (limit ?? NO_LIMIT) - carried, ttlMs: COUNTED_FOR };
      const whole = await shared.add(counterOf(period), calls, most);
      const booked = whole ?? (calls > 1 ? await shared.add(counterOf(period), 1, most) : undefined);
      if (booked === undefined) throw spent(row, until);
      const own = whole === undefined ? 1 : calls;
      // Other processes count too. The document is what an export has, and what a new engine begins with.
      const all = withCalls(page, day, Math.max(0, booked - own - page.booked));
      const answers = (await shared.add(answersOf(period), writesLedger ? 0 : own, UNLIMITED)) ?? month.answers;
      open = { ...month, answers, page: all, ahead: { day, calls: 0 } };
      if (writesLedger) await documents.set(period.key, withCalls(all, day, own));
      return take({ ...month, answers, page: all, ahead: { day, calls: own - 1 } }, priority);
    }
    // A failed write may still be durable; `close` corrects the count.
    open = { ...month, ahead: { day, calls: 0 } };
    await documents.set(period.key, withCalls(page, day, calls));
    return take({ ...month, ahead: { day, calls: calls - 1 } }, priority);
  };

  /** Calls of an earlier month limit nothing. */
  const unwrite = async ({ key, day, isQuestion }: Booking): Promise<void> => {
    if (open?.period.key !== key) return;
    const page = withCalls(open.page, day, -1, isQuestion ? -1 : 0);
    const answers = open.answers - (shared !== undefined && !writesLedger ? 1 : 0);
    const { ahead } = open;
    if (shared !== undefined) await uncount(shared, open.period, 1);
    if (writesLedger) await documents.set(key, ahead === undefined ? page : withCalls(page, ahead.day, ahead.calls));
    open = { ...open, answers, page };
  };

  /** Of calls that were counted by the engine and not made. */
  const uncount = async (engine: Pick<SharedEngine, 'add'>, period: Period, calls: number): Promise<void> => {
    for (const counter of [counterOf, ...(writesLedger ? [] : [answersOf])]) await engine.add(counter(period), -calls, UNLIMITED);
  };

  return {
    async book(row, priority) {
      try {
        return await lane.run('ledger', async () => write(row, priority));
      } catch (error) {
        if (limit !== undefined || error instanceof AnalyticsError) throw error;
        const period = current();
        log.warn('analytics.ledger-unwritten', { row, error });
        return take(open?.period.key === period.key ? open : { period, carried: 0, page: EMPTY, answers: 0 }, priority);
      }
    },
    async giveBack(booking) {
      try {
        await lane.run('ledger', async () => unwrite(booking));
      } catch (error) {
        log.warn('analytics.ledger-unwritten', { error });
      }
    },
    state() {
      const period = current();
      const { carried = 0, page = EMPTY, answers = 0 } = open?.period.key === period.key ? open : {};
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
    },
    ready: async () => lane.run('ledger', async () => void (await opened())),
    close: async () =>
      lane.run('ledger', async () => {
        if (open?.ahead === undefined) return;
        const { ahead, ...month } = open;
        try {
          if (shared !== undefined && ahead.calls > 0) await uncount(shared, month.period, ahead.calls);
          if (writesLedger) await documents.set(month.period.key, month.page);
          open = month;
        } catch (error) {
          log.warn('analytics.ledger-unwritten', { booked: ahead.calls, error });
        }
      }),
  };
}

const withCalls = (page: Page, day: string, calls: number, questions = 0): Page => ({
  booked: page.booked + calls,
  questions: page.questions + questions,
  days: { ...page.days, [day]: (page.days[day] ?? 0) + calls },
});

/** Another ledger's calls within this period. */
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
