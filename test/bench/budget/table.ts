/** The results as lines of a table. */
import { DAY, HOUR, MINUTE } from '../../../src/base/clock.js';
import { KINDS } from './oracle.js';
import type { Measured } from './cell.js';

/** In the largest unit that fits: `2.3 d`, `4.1 h`, `12 min`. */
function span(milliseconds: number | null | undefined): string {
  if (milliseconds === undefined) return 'n/a';
  // JSON has no infinite numbers.
  if (milliseconds === null || !Number.isFinite(milliseconds)) return 'never';
  if (milliseconds >= DAY) return `${(milliseconds / DAY).toFixed(1)} d`;
  return milliseconds >= HOUR ? `${(milliseconds / HOUR).toFixed(1)} h` : `${(milliseconds / MINUTE).toFixed(1)} min`;
}

const COLUMNS: readonly (readonly [head: string, width: number, cell: (one: Measured) => string])[] = [
  ['plan', 7, ({ limit }) => String(limit)],
  ['proj', 4, ({ projects }) => String(projects)],
  ['lists', 8, ({ lists }) => lists],
  ['2 min', 5, ({ firstTwoMinutes }) => String(firstTwoMinutes)],
  ['age: lists', 10, ({ ages }) => span(ages.listed)],
  ['bound', 18, ({ statedBound: { pages, confirmed } }) => `${span(pages)}/${span(confirmed)}`],
  ['others', 8, ({ ages }) => span(ages.others)],
  ...KINDS.map((kind): (typeof COLUMNS)[number] => [
    kind,
    24,
    ({ delays: { [kind]: one } }) => `${span(one.median)}/${span(one.p95)} ${one.missed}/${one.events}`,
  ]),
  ['markets', 8, ({ marketEvents, marketEventsMissed }) => `${marketEventsMissed}/${marketEvents}`],
  ['wrong', 5, ({ wrong }) => String(wrong)],
  ['twice', 5, ({ doubled }) => String(doubled)],
  ['used', 14, ({ used, days, isOverdrawn }) => `${used}${days < 30 ? ` in ${days} d` : ''}${isOverdrawn ? ' OVER' : ''}`],
  ['CPU s', 5, ({ cpuSeconds }) => cpuSeconds.toFixed(0)],
];

/** Bound: pages of lists alone/with confirmations. Delays: median/95th percentile, then how many were missed of how many events. */
export const HEAD = COLUMNS.map(([head, width]) => head.padEnd(width)).join(' ');
export const lineOf = (one: Measured): string =>
  COLUMNS.map(([, width, cell]) => cell(one).padEnd(width))
    .join(' ')
    .trimEnd();
