/** Rows per page and pages per list: configured, or learned from refusals and forgotten after a while. */
import { RecentMap } from '../base/bounded-cache.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { z } from 'zod';
import { DAY, HOUR, later, type Clock } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import { instantSchema, type Instant } from '../domain/scalars.js';
import type { Store } from '../store/store.js';
import type { PlanLimitsState } from './analytics.js';

export interface PlanLimits {
  sizes(key: string, row: string): readonly number[];
  /** `afterRefusal`: it refused a larger one. */
  took(row: string, size: number, afterRefusal: boolean): void;
  /** Of every size: next time try once. */
  refused(key: string): void;
  hides(key: string, page: number): boolean;
  pageRefused(key: string, row: string, page: number): void;
  state(): PlanLimitsState;
  ready(): Promise<void>;
  settled(): Promise<void>;
}

export interface PlanLimitsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: string;
  readonly rows?: number | undefined;
  readonly pages?: number | undefined;
  /** Each refused size costs one of few requests, so what was learned holds for a month. */
  readonly isThrifty?: boolean | undefined;
}

/** Without configuration. Small plans allow 10. */
const SIZES: readonly number[] = [100, 50, 20, 10];
const MIN_SIZE = 10;
const ANY_ROW = '*';
const PAGE_LIMIT_HOLDS_FOR = 6 * HOUR;
const SIZE_HOLDS_FOR = 7 * DAY;
const SIZE_HOLDS_A_MONTH = 35 * DAY;
/** Lists ending at one page before it limits all. */
const LISTS_TO_BELIEVE = 2;
const BOUND_HOLDS_FOR = 7 * DAY;
const MAX_REMEMBERED = 1_000;

const learnedSchema = z.object({
  source: z.string(),
  sizes: z.array(z.object({ key: z.string(), size: z.int().min(1), at: instantSchema })),
  pageLimits: z.array(z.object({ key: z.string(), row: z.string(), page: z.int().min(2), at: instantSchema })),
  learnedAt: instantSchema.optional(),
});
type Learned = z.infer<typeof learnedSchema>;
const KEY = 'plan';

export function createPlanLimits({ store, clock, log, source, rows, pages, isThrifty = false }: PlanLimitsOptions): PlanLimits {
  const sizeHoldsFor = isThrifty ? SIZE_HOLDS_A_MONTH : SIZE_HOLDS_FOR;
  const documents = store.collection({ prefix: 'plan-limits', version: 1, schema: learnedSchema, writers: 'any' });
  const writing = lanes();
  const sizes = new RecentMap<string, { readonly size: number; readonly at: Instant }>(MAX_REMEMBERED);
  const pageLimits = new RecentMap<string, { readonly row: string; readonly page: number; readonly at: Instant }>(MAX_REMEMBERED);
  let learnedAt: Instant | undefined;

  const load = async (): Promise<void> => {
    try {
      const found = await documents.get(KEY);
      if (found?.source !== source) return;
      for (const { key, ...one } of found.sizes) sizes.set(key, one);
      for (const { key, ...one } of found.pageLimits) pageLimits.set(key, one);
      learnedAt = found.learnedAt;
    } catch (error) {
      // It is learned again at the cost of a few calls.
      log.warn('analytics.plan-limits-unread', { error });
    }
  };
  const write = (): void => {
    learnedAt = clock.now();
    const document = (): Learned => ({
      source,
      sizes: [...sizes].map(([key, one]) => ({ key, ...one })),
      pageLimits: [...pageLimits].map(([key, one]) => ({ key, ...one })),
      learnedAt,
    });
    void writing.run(KEY, async () =>
      documents.set(KEY, document()).catch((error: unknown) => log.warn('analytics.plan-limits-unwritten', { error })),
    );
  };
  const fresh = <T extends { readonly at: Instant }>(one: T | undefined, holds: number): T | undefined =>
    one !== undefined && clock.now() < later(one.at, holds) ? one : undefined;
  const sizeOf = (key: string): number | undefined => fresh(sizes.get(key), sizeHoldsFor)?.size;

  const bound = (): number | undefined => {
    const rowsAt = new Map<number, Set<string>>();
    for (const one of pageLimits.values()) {
      if (fresh(one, BOUND_HOLDS_FOR) !== undefined) rowsAt.set(one.page, (rowsAt.get(one.page) ?? new Set()).add(one.row));
    }
    return [...rowsAt].flatMap(([page, found]) => (found.size >= LISTS_TO_BELIEVE ? [page] : [])).toSorted((a, b) => a - b)[0];
  };

  return {
    sizes(key, row) {
      const known = sizeOf(key) ?? sizeOf(row) ?? sizeOf(ANY_ROW) ?? Number.POSITIVE_INFINITY;
      const all = rows === undefined ? SIZES : [rows, ...SIZES.filter((size) => size < rows)];
      const usable = all.filter((size) => size <= known);
      return usable.length > 0 ? usable : all.slice(-1);
    },
    took(row, size, afterRefusal) {
      if (sizeOf(row) !== size) sizes.set(row, { size, at: clock.now() });
      if (!afterRefusal) return;
      sizes.set(ANY_ROW, { size, at: clock.now() });
      write();
    },
    refused(key) {
      sizes.set(key, { size: MIN_SIZE, at: clock.now() });
      write();
    },
    hides(key, page) {
      if (pages !== undefined && page > pages) return true;
      const own = fresh(pageLimits.get(key), PAGE_LIMIT_HOLDS_FOR);
      return page >= (own?.page ?? bound() ?? Number.POSITIVE_INFINITY);
    },
    pageRefused(key, row, page) {
      pageLimits.set(key, { row, page, at: clock.now() });
      write();
    },
    state() {
      const learnedRows = sizeOf(ANY_ROW);
      const learnedPages = bound();
      const most = (a: number | undefined, b: number | undefined): number | undefined =>
        a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
      const known = { rows: most(rows, learnedRows), pages: most(pages, learnedPages === undefined ? undefined : learnedPages - 1) };
      return omitUndefined({
        rows: known.rows,
        pages: known.pages,
        learnedAt,
      });
    },
    ready: load,
    settled: async () => writing.idle(),
  };
}
