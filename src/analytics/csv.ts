/** Operations that answer with a file of comma-separated values in the place of `{data, meta}` (§4.1). Only some plans include them. */
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { Row } from './row.js';

/** The titles of the columns, and every record as text. Records are as they came: what a cell holds may be hostile to a spreadsheet. */
export interface Table {
  readonly columns: readonly string[];
  readonly records: readonly (readonly string[])[];
}

const cells = z.array(z.array(z.string()));

/** The text of a file as a table. A page of HTML or a JSON error is no file; a record of another length is padded or cut to the columns. */
const table = z.string().transform((text, context): Table => {
  const refuse = (): never => {
    context.addIssue('not a file of comma-separated values');
    return z.NEVER;
  };
  if (/^\s*[<{]/u.test(text)) return refuse();
  try {
    const options = {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    };
    const [columns = [], ...records] = cells.parse(parse(text, options));
    return { columns, records: records.map((record) => columns.map((_, index) => record[index] ?? '')) };
  } catch {
    return refuse();
  }
});

/** A row whose answer is a file. The service refuses it with 403 where the plan has no exports. */
export const csv = <I extends z.ZodObject>(row: Omit<Row<I, Table>, 'method' | 'data' | 'answers'>): Row<I, Table> => ({
  method: 'GET',
  answers: 'csv',
  ...row,
  data: table,
});
