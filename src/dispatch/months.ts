/** A long chart as a short table: where each month ended, and how far that was from the one before. */
import type { BlockDraft } from '../chat/reply.js';
import { percentChange } from '../domain/decimal.js';
import { month, percent } from '../domain/format.js';
import type { Decimal, Instant } from '../domain/scalars.js';

/** A year and the month it began in. */
const MONTHS = 13;

export interface Point {
  readonly at: Instant;
  readonly value: Decimal;
}

/** The newest month first; `points` are oldest first. The current month ends with its latest point. */
export function monthEnds(points: readonly Point[], { title, show }: { title: string; show: (value: Decimal) => string }): BlockDraft {
  const ends = [...new Map(points.map((point) => [month(point.at), point]))];
  const rows = ends.map(([name, { value }], index) => {
    const before = ends[index - 1]?.[1];
    return [name, show(value), before === undefined ? '' : percent(percentChange(before.value, value))];
  });
  return {
    kind: 'table',
    columns: [{ title: 'End of' }, { title, align: 'right' }, { title: 'Change', align: 'right' }],
    rows: rows.toReversed().slice(0, MONTHS),
    more: Math.max(0, rows.length - MONTHS),
  };
}
