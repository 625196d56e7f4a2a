/**
 * A table from the service as a file that people may open. A spreadsheet runs a cell that begins with = + - or @, so what would be run is
 * made text with an apostrophe in front; a plain number stays one. The file is cut to whole records where it would be too large to send.
 */
import { stringify } from 'csv-stringify/sync';
import type { Table } from '../analytics/csv.js';
import type { AnalyticsError } from '../analytics/errors.js';
import type { BlockDraft, Reply } from '../chat/reply.js';
import { exact } from '../domain/format.js';
import { decimal } from '../domain/scalars.js';
import { UserError } from './user-error.js';
import { counted, line } from './blocks.js';

/** In bytes; every platform takes a file of this size. */
const MAX_BYTES = 2 * 1024 * 1024;

const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/u;
/** What begins a formula, also behind blanks and invisible characters, and in the wide forms that East Asian keyboards write. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
/** Where a spreadsheet with other separators would begin another cell. */
const INNER = /([;\t\r\n][\s\p{Cc}\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu;
const BREAKS = /^[\t\r\n]/u;

/** The cell as text that no spreadsheet runs. */
export function harmless(cell: string): string {
  if (NUMBER.test(cell)) return cell;
  const inner = cell.replaceAll(INNER, "$1'");
  return FORMULA.test(cell) || BREAKS.test(cell) ? `'${inner}` : inner;
}

const text = (records: readonly (readonly string[])[]): string => stringify(records.map((record) => record.map(harmless)));

/** Records are written so many at a time until the file is full. */
const BATCH = 500;

export interface CsvFile {
  readonly files: Reply['files'];
  /** Says how many records the file holds, and how many found no room. */
  readonly note: BlockDraft;
}

/** The table as a file of this name, at most so many bytes. `name` needs no ending. */
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
    note: line(
      left === 0
        ? `The file holds ${whole}.`
        : `⚠ The file holds the first ${exact(decimal(written))} of ${whole}; the rest would make it too large.`,
    ),
  };
}

/** What an export that failed is told as: a plan without exports has its own sentence, every other failure stays what it is. */
export const noExport = (error: AnalyticsError): Error =>
  error.trouble === 'forbidden'
    ? new UserError('Your plan has no exports. Whoever runs the bot can change the plan; the list itself can still be read here.')
    : error;
