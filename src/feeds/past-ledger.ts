/** A ledger as one past check: every row has its own date. */
import type { Walk } from '../analytics/analytics.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { instant, type Instant } from '../base/clock.js';
import type { PastSnapshots } from './feed.js';
import type { PastContext } from './history.js';
import { WINDOW } from './seen-ids.js';

interface Row {
  readonly at?: Instant | undefined;
}

/** The newest of the period. */
export function pastLedger<R extends Row>(walk: Walk<R>, { from, now }: Pick<PastContext, 'from' | 'now'>): PastSnapshots<readonly R[]> {
  const { rows, at, dataAt, stale, cut, complete, broken } = walk;
  const dates = rows.flatMap((row) => row.at ?? []).toSorted((a, b) => a - b);
  const least = Math.max(from, dates.at(-WINDOW) ?? from);
  const data = rows.filter((row) => row.at !== undefined && row.at >= least && row.at <= now);
  const isCut = least > from && dates.length > WINDOW;
  const [oldest] = dates;
  const undated = rows.filter((row) => row.at === undefined).map(() => now);
  return {
    ...omitUndefined({ at, dataAt, stale, cut }),
    ...(undated.length === 0 ? {} : { gaps: [{ missing: undated, says: undatedText(undated.length, rows.length) }] }),
    hidden: walk.hidden,
    broken,
    since: isCut ? instant(least) : oldest,
    snapshots: [{ data, at, complete, hidden: walk.hidden, broken }],
  };
}

const undatedText = (count: number, total: number): string =>
  `${count} of ${total} ${total === 1 ? 'row' : 'rows'} ${count === 1 ? 'has' : 'have'} no date, so ${count === 1 ? 'it is' : 'they are'} not counted.`;
