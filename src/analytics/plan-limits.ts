/** Keeps the plan's limits of rows per page and pages per list. They are configured, or learned from refusals and forgotten after a while. */
import { RecentMap } from '../base/bounded-cache.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { z } from 'zod';
import { DAY, HOUR, later, type Clock } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import { instantSchema, type Instant } from '../domain/scalars.js';
import type { Collection, Store } from '../store/store.js';
import type { PlanLimitsState } from './analytics.js';

export interface PlanLimitsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: string;
  readonly rows?: number | undefined;
  readonly pages?: number | undefined;
  /** Keeps learned limits for a month, because each refused size costs a request and there are few. */
  readonly isThrifty?: boolean | undefined;
}

/** Page sizes that are tried without configuration. Small plans allow 10. */
const SIZES: readonly number[] = [100, 50, 20, 10];
const MIN_SIZE = 10;
const ANY_ROW = '*';
const PAGE_LIMIT_HOLDS_FOR = 6 * HOUR;
const SIZE_HOLDS_FOR = 7 * DAY;
const SIZE_HOLDS_A_MONTH = 35 * DAY;
/** How many lists must end at the same page before it limits all lists. */
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

const limits = { prefix: 'plan-limits', version: 1, schema: learnedSchema, writers: 'any' } as const;

interface LearnedSize {
  readonly size: number;
  readonly at: Instant;
}

interface LearnedPageLimit {
  readonly row: string;
  readonly page: number;
  readonly at: Instant;
}

export class PlanLimits {
  readonly #options: PlanLimitsOptions;
  readonly #documents: Collection<Learned>;
  readonly #writing = lanes();
  readonly #sizes = new RecentMap<string, LearnedSize>(MAX_REMEMBERED);
  readonly #pageLimits = new RecentMap<string, LearnedPageLimit>(MAX_REMEMBERED);
  #learnedAt: Instant | undefined;

  constructor(options: PlanLimitsOptions) {
    this.#options = options;
    this.#documents = options.store.collection(limits);
  }

  async ready(): Promise<void> {
    const { log, source } = this.#options;
    try {
      const found = await this.#documents.get(KEY);
      if (found?.source !== source) return;
      for (const { key, ...one } of found.sizes) this.#sizes.set(key, one);
      for (const { key, ...one } of found.pageLimits) this.#pageLimits.set(key, one);
      this.#learnedAt = found.learnedAt;
    } catch (error) {
      // Limits that cannot be read are learned again with a few calls.
      log.warn('analytics.plan-limits-unread', { error });
    }
  }

  async settled(): Promise<void> {
    await this.#writing.idle();
  }

  sizes(key: string, row: string): readonly number[] {
    const { rows } = this.#options;
    const known = this.#sizeOf(key) ?? this.#sizeOf(row) ?? this.#sizeOf(ANY_ROW) ?? Number.POSITIVE_INFINITY;
    const all = rows === undefined ? SIZES : [rows, ...SIZES.filter((size) => size < rows)];
    const usable = all.filter((size) => size <= known);
    return usable.length > 0 ? usable : all.slice(-1);
  }

  /** Records a size that worked. `afterRefusal`: the service had refused a larger one. */
  took(row: string, size: number, afterRefusal: boolean): void {
    const at = this.#options.clock.now();
    if (this.#sizeOf(row) !== size) this.#sizes.set(row, { size, at });
    if (!afterRefusal) return;
    this.#sizes.set(ANY_ROW, { size, at });
    this.#write();
  }

  /** Records that every size was refused, so that next time only one is tried. */
  refused(key: string): void {
    this.#sizes.set(key, { size: MIN_SIZE, at: this.#options.clock.now() });
    this.#write();
  }

  hides(key: string, page: number): boolean {
    const { pages } = this.#options;
    if (pages !== undefined && page > pages) return true;
    const own = this.#fresh(this.#pageLimits.get(key), PAGE_LIMIT_HOLDS_FOR);
    return page >= (own?.page ?? this.#bound() ?? Number.POSITIVE_INFINITY);
  }

  pageRefused(key: string, row: string, page: number): void {
    this.#pageLimits.set(key, { row, page, at: this.#options.clock.now() });
    this.#write();
  }

  state(): PlanLimitsState {
    const { rows, pages } = this.#options;
    const learnedPages = this.#bound();
    return omitUndefined({
      rows: smaller(rows, this.#sizeOf(ANY_ROW)),
      pages: smaller(pages, learnedPages === undefined ? undefined : learnedPages - 1),
      learnedAt: this.#learnedAt,
    });
  }

  #write(): void {
    const { clock, log, source } = this.#options;
    this.#learnedAt = clock.now();
    const document = (): Learned => ({
      source,
      sizes: [...this.#sizes].map(([key, one]) => ({ key, ...one })),
      pageLimits: [...this.#pageLimits].map(([key, one]) => ({ key, ...one })),
      learnedAt: this.#learnedAt,
    });
    void this.#writing.run(KEY, async () =>
      this.#documents.set(KEY, document()).catch((error: unknown) => log.warn('analytics.plan-limits-unwritten', { error })),
    );
  }

  #fresh<T extends { readonly at: Instant }>(one: T | undefined, holds: number): T | undefined {
    return one !== undefined && this.#options.clock.now() < later(one.at, holds) ? one : undefined;
  }

  #sizeOf(key: string): number | undefined {
    return this.#fresh(this.#sizes.get(key), this.#options.isThrifty === true ? SIZE_HOLDS_A_MONTH : SIZE_HOLDS_FOR)?.size;
  }

  /** Returns the page at which several lists ended. It limits all lists. */
  #bound(): number | undefined {
    const rowsAt = new Map<number, Set<string>>();
    for (const one of this.#pageLimits.values()) {
      if (this.#fresh(one, BOUND_HOLDS_FOR) !== undefined) rowsAt.set(one.page, (rowsAt.get(one.page) ?? new Set()).add(one.row));
    }
    return [...rowsAt].flatMap(([page, found]) => (found.size >= LISTS_TO_BELIEVE ? [page] : [])).toSorted((a, b) => a - b)[0];
  }
}

const smaller = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
