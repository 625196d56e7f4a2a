/** What a walk has met so far, and whether another page is worth a call. Pure but for its own memory. A row that cannot be read is no progress: nobody can tell whether it is a new one. */
import type { Answer, Walk } from './analytics.js';
import type { Trouble } from './errors.js';
import type { Dating, Rows } from './row.js';

export interface Tally<T> {
  add(page: Answer<Rows<T>>): void;
  /** Whether rows may stand beyond page number `page`, the last one added. */
  goesOn(page: number): boolean;
  /** The walk as it ended: of itself, at a page the plan refuses, or by a trouble. */
  walk(end?: 'wall' | Trouble): Walk<T>;
}

/** How many rows a list has, as page number `page` states it; undefined where so many rows cannot stand on that page. */
export function plausibleTotal(
  total: number | undefined,
  { page, rows }: { readonly page: number; readonly rows: number },
): number | undefined {
  // No page before this one has fewer rows.
  return total === undefined || total < page * rows ? undefined : total;
}

/** A page that shows nothing new may be a shift of the list while we walk; two of them are its end. */
const BARREN_PAGES = 2;

/** `dated` is how the row says when its data is from: of the newest row of all pages, or of the oldest page. */
export function createTally<T>(identify: (row: T) => string, dated?: Dating): Tally<T> {
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
        // The first sighting keeps its place.
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
      // A short page says nothing about the next one; only the counts do, and without them an empty page.
      return promised || total !== undefined || pages === undefined;
    },

    walk(end) {
      const missing = total === undefined ? 0 : Math.max(0, total - met.size - broken);
      const counted = total === undefined ? end === undefined && broken === 0 : totals.size === 1 && met.size >= total;
      if (at === undefined) throw new Error('a walk ends after its first page');
      return {
        rows: [...met.values()],
        broken,
        hidden: end === 'wall' ? missing : 0,
        complete: counted,
        at,
        ...(dataAt === undefined ? {} : { dataAt }),
        ...(stale === undefined ? {} : { stale }),
        ...(end === undefined || end === 'wall' ? {} : { cut: end }),
      };
    },
  };
}
