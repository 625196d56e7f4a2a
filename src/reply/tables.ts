/** Writes a series as a table by month, week or day, and a table as a CSV file in which formulas are escaped with an apostrophe. */
import { DateTime } from 'luxon';
import { stringify } from 'csv-stringify/sync';
import { DAY } from '../base/clock.js';
import type { BlockDraft, Reply } from '../chat/reply.js';
import { percentChange } from '../domain/decimal.js';
import { date, month, percent, countText } from '../domain/format.js';
import type { Decimal, Instant } from '../domain/scalars.js';
import type { Table } from '../analytics/csv.js';
import type { AnalyticsError } from '../analytics/errors.js';
import { UserError } from './errors.js';
import { counted, line } from './blocks.js';

/** A year, and the month in which it began. */
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

/** Makes a table of the last value of each period, the newest first. `points` are oldest first. */
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

/** The largest file that every platform accepts. */
const MAX_BYTES = 2 * 1024 * 1024;

const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/u;
/** Matches the beginning of a formula, also after invisible characters and in full-width forms. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
/** Matches formulas after other characters that spreadsheets take for separators. */
const INNER = /([;\t\r\n][\s\p{Cc}\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu;
const BREAKS = /^[\t\r\n]/u;

export function harmless(cell: string): string {
  if (NUMBER.test(cell)) return cell;
  const inner = cell.replaceAll(INNER, "$1'");
  return FORMULA.test(cell) || BREAKS.test(cell) ? `'${inner}` : inner;
}

const text = (records: readonly (readonly string[])[]): string => stringify(records.map((record) => record.map(harmless)));

/** The number of records that are written at once. */
const BATCH = 500;

export interface CsvFile {
  readonly files: Reply['files'];
  readonly note: BlockDraft;
}

/** Writes a CSV file of at most `most` bytes, in whole records. */
export function csvFile({
  name,
  table,
  most = MAX_BYTES,
}: {
  readonly name: string;
  readonly table: Table;
  readonly most?: number;
}): CsvFile {
  const parts = [text([table.columns])];
  let room = most - Buffer.byteLength(parts[0] ?? '');
  let written = 0;
  const add = (records: Table['records']): boolean => {
    const part = text(records);
    const size = Buffer.byteLength(part);
    if (size > room) return false;
    parts.push(part);
    room -= size;
    written += records.length;
    return true;
  };
  while (written < table.records.length) {
    const batch = table.records.slice(written, written + BATCH);
    if (add(batch)) continue;
    for (const record of batch) if (!add([record])) break;
    break;
  }
  const left = table.records.length - written;
  const whole = counted(table.records.length, 'record');
  return {
    files: [{ name: `${name.replaceAll(/[^\w.-]+/gu, '-')}.csv`, type: 'text/csv', text: parts.join('') }],
    note: line(left === 0 ? `${whole} in the file.` : `⚠ Only the first ${countText(written)} of ${whole} fit in the file.`),
  };
}

export const noExport = (error: AnalyticsError): Error =>
  error.trouble === 'forbidden'
    ? new UserError("CSV exports aren't in this bot's data plan. Ask its operator to upgrade, or read the list here.")
    : error;
