/** Reads a ledger no further than its rows can be new, where requests are few. */
import { DAY, instant, type Instant } from '../base/clock.js';
import type { CheckContext } from './feed.js';

/** A row that the service dates back is found as long as it is no older than this. */
const DATED_BACK = DAY;

/** Whether rows are listed newest first, and the last of them is older than what the last check, or the watch, left unread. */
export function isReadBack(rows: readonly { readonly at?: Instant | undefined }[], { checkedAt, since, isThrifty }: CheckContext): boolean {
  const from = checkedAt ?? since;
  if (isThrifty !== true || from === undefined) return false;
  const dates = rows.flatMap(({ at }) => at ?? []);
  const oldest = dates.at(-1);
  const isNewestFirst = dates.length === rows.length && dates.every((at, index) => at <= (dates[index - 1] ?? at));
  return isNewestFirst && oldest !== undefined && oldest < instant(from - DATED_BACK);
}
