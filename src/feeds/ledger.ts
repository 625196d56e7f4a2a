/** This module has the parts that ledger feeds share: how far back to read, the past check for backtests, and corrections. */
import type { Walk } from '../analytics/analytics.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { DAY, instant, type Instant } from '../base/clock.js';
import type { CheckContext, FoundCorrection, PastSnapshots } from './feed.js';
import type { PastContext } from './history.js';
import { WINDOW, type LedgerCorrection } from './seen-ids.js';

interface Row {
  readonly at?: Instant | undefined;
}

/** Returns one past snapshot with the newest rows of the period. */
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

export const ledgerCorrections = (prefix: string, corrections: readonly LedgerCorrection[]): readonly FoundCorrection[] =>
  corrections.map(({ id, version, dates }) => ({
    event: `${prefix}/${id}`,
    version,
    ...(dates === undefined ? {} : { dates, occurredAt: dates.now }),
  }));

/** Rows that the service dates back by at most this are found. */
const DATED_BACK = DAY;

/** Tells whether reading can stop: rows are listed newest first, and the last one is older than the last check or the watch. */
export function isReadBack(rows: readonly { readonly at?: Instant | undefined }[], { checkedAt, since, isThrifty }: CheckContext): boolean {
  const from = checkedAt ?? since;
  if (isThrifty !== true || from === undefined) return false;
  const dates = rows.flatMap(({ at }) => at ?? []);
  const oldest = dates.at(-1);
  const isNewestFirst = dates.length === rows.length && dates.every((at, index) => at <= (dates[index - 1] ?? at));
  return isNewestFirst && oldest !== undefined && oldest < instant(from - DATED_BACK);
}
