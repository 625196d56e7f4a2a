/** Reads all pages of a list. Reduces the page size if it is refused. A short page does not mean the end. */
import type { z } from 'zod';
import { later, type Clock, type Instant } from '../base/clock.js';
import type { Answer, CallOptions, ListOptions, Walk } from './analytics.js';
import type { PlanLimits } from './plan-limits.js';
import { AnalyticsError, type Trouble } from './errors.js';
import type { Dating, ListRow, Row, Rows } from './endpoint-row.js';
import type { Priority } from './rate-limiter.js';

type Input = Readonly<Record<string, unknown>>;

export type PageOptions = CallOptions & {
  /** The error to fail with, without a request. */
  readonly failed?: AnalyticsError;
  readonly by?: Instant;
};
export type PageCall = <D>(row: Row<z.ZodObject, D>, input: Input, how: PageOptions) => Promise<Answer<D>>;

export type Pager = <T>(
  row: ListRow<z.ZodObject, T>,
  input: Input,
  by: { readonly identify: (row: T) => string; readonly how: ListOptions<T> },
) => Promise<Walk<T>>;

const MAX_PAGES = 200;

const REFUSALS: ReadonlySet<Trouble> = new Set(['forbidden', 'rejected']);

export interface PagerOptions {
  readonly call: PageCall;
  readonly planLimits: PlanLimits;
  readonly clock: Clock;
  /** The longest time of a whole walk, in milliseconds. */
  readonly deadlines: Readonly<Record<Priority, number>>;
}

export function createPager({ call, planLimits, clock, deadlines }: PagerOptions): Pager {
  const inTime = (row: string, how: PageOptions & { readonly by: Instant }): PageOptions =>
    clock.now() < how.by
      ? how
      : { ...how, failed: new AnalyticsError({ trouble: 'timeout', row, detail: 'not all pages came within the deadline' }) };

  const firstPage = async <T>(row: ListRow<z.ZodObject, T>, input: Input, { key, how }: { key: string; how: PageOptions }) => {
    const sizes = planLimits.sizes(key, row.id);
    let options = how;
    let failure: unknown;
    let refusals = 0;
    for (const size of sizes) {
      try {
        const answer = await call(row, { ...input, limit: size, page: 1 }, options);
        if (answer.stale === undefined) planLimits.took(row.id, size, refusals > 0);
        return { answer, size };
      } catch (error) {
        failure ??= error;
        if (!(error instanceof AnalyticsError)) throw error;
        if (REFUSALS.has(error.trouble)) {
          failure = error;
          refusals += 1;
        } else if (how.ifFailing === 'refuse') throw error;
        // A smaller page size may be cached, so the walk goes on without requests.
        else options = { ...how, failed: error };
      }
    }
    // Every size was refused, so the size is not the cause. Next time one attempt is enough.
    if (failure instanceof AnalyticsError && REFUSALS.has(failure.trouble)) planLimits.refused(key);
    throw failure;
  };

  return async (row, input, { identify, how: { enough, ...how } }) => {
    const accumulator = createPageAccumulator(identify, row.dated);
    const by = { ...how, by: later(clock.now(), deadlines[how.priority ?? 'question']) };
    if (!row.paged) {
      accumulator.add(await call(row, input, how));
      return accumulator.walk();
    }
    const key = `${row.id} ${JSON.stringify(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
    const { answer, size } = await firstPage(row, input, { key, how: by });
    accumulator.add(answer);
    for (let page = 2; page <= MAX_PAGES && accumulator.goesOn(page - 1); page += 1) {
      if (enough?.(accumulator.rows()) === true) return accumulator.walk('enough');
      if (planLimits.hides(key, page)) return accumulator.walk('page-limit');
      try {
        accumulator.add(await call(row, { ...input, limit: size, page }, inTime(row.id, by)));
      } catch (error) {
        if (!(error instanceof AnalyticsError)) throw error;
        if (!REFUSALS.has(error.trouble) && error.trouble !== 'unknown') return accumulator.walk(error.trouble);
        planLimits.pageRefused(key, row.id, page);
        return accumulator.walk('page-limit');
      }
    }
    return accumulator.walk();
  };
}

/** Accumulates pages and decides whether to read another. */
interface PageAccumulator<T> {
  add(page: Answer<Rows<T>>): void;
  /** Tells whether to read another page after `page`, the last one added. */
  goesOn(page: number): boolean;
  rows(): readonly T[];
  walk(end?: 'page-limit' | 'enough' | Trouble): Walk<T>;
}

/** Returns the total unless it contradicts the number of rows. */
export function plausibleTotal(
  total: number | undefined,
  { page, rows }: { readonly page: number; readonly rows: number },
): number | undefined {
  // The earlier pages together have at least this many rows.
  return total === undefined || total < page * rows ? undefined : total;
}

/** Pages in a row without new rows that end a walk. A single one may result from rows that moved. */
const BARREN_PAGES = 2;

/** Creates an accumulator. The data's date is that of the newest row if `dated`, else of the oldest page. */
function createPageAccumulator<T>(identify: (row: T) => string, dated?: Dating): PageAccumulator<T> {
  const met = new Map<string, T>();
  const totals = new Set<number>();
  let total: number | undefined;
  let pages: number | undefined;
  let broken = 0;
  let barren = 0;
  let at: Walk<T>['at'] | undefined;
  let dataAt: Walk<T>['dataAt'];
  let stale: Trouble | undefined;

  return {
    add({ data, meta, ...page }) {
      const before = met.size;
      for (const row of data.rows) {
        const identity = identify(row);
        // The first occurrence keeps its position.
        if (!met.has(identity)) met.set(identity, row);
      }
      broken += data.broken;
      barren = met.size > before ? 0 : barren + 1;
      if (meta?.totalItems !== undefined) totals.add((total = meta.totalItems));
      pages = meta?.totalPages ?? pages;
      at = at === undefined || page.at < at ? page.at : at;
      if (page.dataAt !== undefined && (dataAt === undefined || page.dataAt > dataAt === (dated === 'newest-row'))) dataAt = page.dataAt;
      stale ??= page.stale;
    },

    goesOn(page) {
      if (total !== undefined && met.size + broken >= total) return false;
      const promised = pages !== undefined && page < pages;
      if (barren > 0) return promised && barren < BARREN_PAGES;
      // A short page does not mean the end; only counts or an empty page do.
      return promised || total !== undefined || pages === undefined;
    },

    rows: () => [...met.values()],

    walk(end) {
      const missing = total === undefined ? 0 : Math.max(0, total - met.size - broken);
      const counted = total === undefined ? end === undefined && broken === 0 : totals.size === 1 && met.size >= total;
      if (at === undefined) throw new Error('a walk ends after its first page');
      return {
        rows: [...met.values()],
        broken,
        hidden: end === 'page-limit' ? missing : 0,
        complete: counted,
        at,
        ...(dataAt === undefined ? {} : { dataAt }),
        ...(stale === undefined ? {} : { stale }),
        ...(end === undefined || end === 'page-limit' || end === 'enough' ? {} : { cut: end }),
      };
    },
  };
}
