/**
 * Walks a list to its end. Default and largest page sizes are not specified (§4.1), so it asks for a hundred rows and steps down when refused;
 * a short page is not the last one; and what a plan does not show is counted, not forgotten.
 */
import type { z } from 'zod';
import { HOUR, later, type Clock } from '../base/clock.js';
import type { Instant } from '../domain/scalars.js';
import type { Answer, CallOptions, Walk } from './analytics.js';
import { AnalyticsError, type Trouble } from './errors.js';
import type { ListRow, Row } from './row.js';
import { createTally } from './tally.js';

type Input = Readonly<Record<string, unknown>>;

/** With `failed` the service is not asked: the last good copy answers, or the call rejects with that error. */
export type PageOptions = CallOptions & { readonly failed?: AnalyticsError };
export type Call = <D>(row: Row<z.ZodObject, D>, input: Input, how: PageOptions) => Promise<Answer<D>>;

export type Pager = <T>(
  row: ListRow<z.ZodObject, T>,
  input: Input,
  by: { readonly identify: (row: T) => string; readonly how: CallOptions },
) => Promise<Walk<T>>;

/** Rows a page, tried in this order. Small plans give 10. */
const SIZES: readonly number[] = [100, 50, 20, 10];
const SMALLEST = 10;
/** A service that goes round in circles is left here; no list of this one is near it. */
const MOST_PAGES = 200;
/** How long a refused page is not asked for again: each refusal costs a call. */
const WALL_STANDS_FOR = 6 * HOUR;
const MOST_REMEMBERED = 1_000;

/** How a plan says "not more than this", of a size as well as of a page. */
const REFUSALS: ReadonlySet<Trouble> = new Set(['forbidden', 'rejected']);
/** What was refused somewhere is the likely bound for a row never walked before. */
const ANY_ROW = '*';

export function createPager({ call, clock }: { call: Call; clock: Clock }): Pager {
  /** Sizes that were accepted, by row and input, by row, and by `ANY_ROW`. */
  const sizes = new Map<string, number>();
  /** The first page the plan refuses, by row and input. */
  const walls = new Map<string, { readonly page: number; readonly until: Instant }>();

  const firstPage = async <T>(row: ListRow<z.ZodObject, T>, input: Input, { key, how }: { key: string; how: PageOptions }) => {
    const known = sizes.get(key) ?? sizes.get(row.id) ?? sizes.get(ANY_ROW) ?? Number.POSITIVE_INFINITY;
    let options = how;
    let failure: unknown;
    for (const size of SIZES.filter((one) => one <= known)) {
      try {
        const answer = await call(row, { ...input, limit: size, page: 1 }, options);
        remember(sizes, row.id, size);
        if (size < (SIZES[0] ?? size)) remember(sizes, ANY_ROW, size);
        return { answer, size };
      } catch (error) {
        failure ??= error;
        if (!(error instanceof AnalyticsError)) throw error;
        if (REFUSALS.has(error.trouble)) failure = error;
        else if (how.ifFailing === 'refuse') throw error;
        // A copy may have been kept under another size; the service itself need not be asked again.
        else options = { ...how, failed: error };
      }
    }
    // Refused at every size, so it was not the size: others keep theirs, and this one costs one call next time.
    if (failure instanceof AnalyticsError && REFUSALS.has(failure.trouble)) remember(sizes, key, SMALLEST);
    throw failure;
  };

  return async (row, input, { identify, how }) => {
    const tally = createTally(identify);
    if (!row.paged) {
      tally.add(await call(row, input, how));
      return tally.walk();
    }
    const key = `${row.id} ${JSON.stringify(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
    const { answer, size } = await firstPage(row, input, { key, how });
    tally.add(answer);
    for (let page = 2; page <= MOST_PAGES && tally.goesOn(page - 1); page += 1) {
      const wall = walls.get(key);
      if (wall !== undefined && page >= wall.page && clock.now() < wall.until) return tally.walk('wall');
      try {
        tally.add(await call(row, { ...input, limit: size, page }, how));
      } catch (error) {
        if (!(error instanceof AnalyticsError)) throw error;
        if (!REFUSALS.has(error.trouble) && error.trouble !== 'unknown') return tally.walk(error.trouble);
        remember(walls, key, { page, until: later(clock.now(), WALL_STANDS_FOR) });
        return tally.walk('wall');
      }
    }
    return tally.walk();
  };
}

/** Keeps the newest; what falls out is learned again. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_REMEMBERED && oldest !== undefined) map.delete(oldest);
}
