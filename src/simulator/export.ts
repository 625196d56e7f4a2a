/** List as CSV (§4.10, §4.11). Cells are unmodified. */
import { stringify } from 'csv-stringify/sync';
import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';
import type { RouteRequest, Export } from './route.js';

const plain = z.union([z.string(), z.number(), z.boolean(), z.bigint()]).transform(String);

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isLosslessNumber(value)) return value.toString();
  const read = plain.safeParse(value);
  return read.success ? read.data : JSON.stringify(value);
}

export function exported({ rows }: Export, ask: RouteRequest): string {
  const all = rows(ask);
  const columns = Object.keys(all[0] ?? {});
  return stringify(
    all.map((row) => columns.map((name) => cell(row[name]))),
    { header: true, columns: [...columns] },
  );
}
