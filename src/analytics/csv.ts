/** Operations that return CSV (§4.1). Some plans do not have them. */
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { Row } from './endpoint-row.js';
import { atOnce, stepwise, type WorkSteps } from './untrusted-json.js';

export interface Table {
  readonly columns: readonly string[];
  readonly records: readonly (readonly string[])[];
}

const cells = z.array(z.array(z.string()));

const STEP = 8 * 1024;
/** The value is in characters. */
const MAX_RECORD = 24 * 1024;
const MAX_RECORDS = 200_000;

const OPTIONS = {
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
};

function lineEnd(text: string, place: number): number {
  const breaks = /\r\n|\n|\r/gu;
  breaks.lastIndex = place;
  return breaks.exec(text) === null ? text.length : breaks.lastIndex;
}

function recordsOf(part: string): z.output<typeof cells> | undefined {
  try {
    return cells.parse(parse(part, OPTIONS));
  } catch {
    return undefined;
  }
}

/** Parses CSV in steps. Rejects HTML and JSON. Pads or cuts records to the number of columns. */
function* tableSteps(text: unknown): WorkSteps<Table> {
  if (typeof text !== 'string' || /^\s*[<{]/u.test(text)) return undefined;
  const records: (readonly string[])[] = [];
  let columns: readonly string[] | undefined;
  for (let start = 0, end = 0, size = STEP; start < text.length;) {
    end = lineEnd(text, start + size);
    const found = end - start > size + MAX_RECORD ? undefined : recordsOf(text.slice(start, end));
    // The part may end inside a quoted cell, so it is extended.
    if (found === undefined && (end === text.length || size > MAX_RECORD)) return undefined;
    if (found === undefined) {
      size *= 2;
      yield;
      continue;
    }
    for (const record of found) {
      columns ??= record;
      if (record !== columns) records.push(columns.map((_, index) => record[index] ?? ''));
    }
    if (records.length > MAX_RECORDS) return undefined;
    start = end;
    size = STEP;
    yield;
  }
  return { columns: columns ?? [], records };
}

const table = z
  .unknown()
  .transform((text, context): Table => {
    const read = atOnce(tableSteps(text));
    if (read !== undefined) return read;
    context.addIssue('not a file of comma-separated values');
    return z.NEVER;
  })
  .register(stepwise, { steps: tableSteps });

/** Declares an operation that returns CSV. Answers 403 if the plan has no exports. */
export const csv = <I extends z.ZodObject>(row: Omit<Row<I, Table>, 'method' | 'data' | 'answers'>): Row<I, Table> => ({
  method: 'GET',
  answers: 'csv',
  ...row,
  data: table,
});
