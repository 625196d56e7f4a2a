/** Series as a table by month, week or day. */
import { DateTime } from 'luxon';
import { DAY } from '../base/clock.js';
import type { BlockDraft } from '../chat/reply.js';
import { percentChange } from '../domain/decimal.js';
import { date, month, percent } from '../domain/format.js';
import type { Decimal, Instant } from '../domain/scalars.js';

/** A year and the month it began in. */
const MAX_PERIODS = 13;

export interface DatedValue {
  readonly at: Instant;
  readonly value: Decimal;
}

const utc = (moment: Instant) => DateTime.fromMillis(moment, { zone: 'utc' });

const PERIODS = [
  { longerThan: 120 * DAY, title: 'Month', name: (at: Instant) => month(at), start: (at: Instant) => utc(at).startOf('month') },
  { longerThan: 14 * DAY, title: 'Week to', name: date, start: (at: Instant) => utc(at).startOf('week') },
  { longerThan: -1, title: 'Day', name: date, start: (at: Instant) => utc(at).startOf('day') },
] as const;

/** Newest first; `points` are oldest first. */
export function periodEnds(
  points: readonly DatedValue[],
  { title, show, now }: { readonly title: string; readonly show: (value: Decimal) => string; readonly now: Instant },
): BlockDraft {
  const [first, last] = [points[0], points.at(-1)];
  const period = PERIODS.find(({ longerThan }) => first !== undefined && last !== undefined && last.at - first.at > longerThan);
  if (period === undefined) return { kind: 'table', columns: [], rows: [] };
  const ends = [...new Map(points.map((point) => [period.start(point.at).toMillis(), point])).values()];
  const rows = ends.map(({ at, value }, index) => {
    const before = ends[index - 1];
    return [period.name(at, now), show(value), before === undefined ? '' : percent(percentChange(before.value, value))];
  });
  return {
    kind: 'table',
    columns: [{ title: period.title }, { title, align: 'right' }, { title: 'Change', align: 'right' }],
    rows: rows.toReversed().slice(0, MAX_PERIODS),
    more: Math.max(0, rows.length - MAX_PERIODS),
  };
}
