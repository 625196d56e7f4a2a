/** Accumulates pages and decides whether to read another. */
import type { Answer, Walk } from './analytics.js';
import type { Trouble } from './errors.js';
import type { Dating, Rows } from './endpoint-row.js';

export interface PageAccumulator<T> {
  add(page: Answer<Rows<T>>): void;
  /** After page `page`, the last one added. */
  goesOn(page: number): boolean;
  rows(): readonly T[];
  walk(end?: 'page-limit' | 'enough' | Trouble): Walk<T>;
}

/** Undefined where it contradicts the number of rows. */
export function plausibleTotal(
  total: number | undefined,
  { page, rows }: { readonly page: number; readonly rows: number },
): number | undefined {
  // Earlier pages have at least as many rows.
  return total === undefined || total < page * rows ? undefined : total;
}

/** One may be a shifted list; two mean the end. */
const BARREN_PAGES = 2;

/** `dated`: by the newest row of all, or the oldest page. */
export function createPageAccumulator<T>(identify: (row: T) => string, dated?: Dating): PageAccumulator<T> {
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
      // A short page is no sign of the end; only counts or an empty page are.
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
