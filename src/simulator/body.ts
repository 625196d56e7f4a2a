/** Writes the body of a response: JSON with all digits, or a list as CSV (§4.10, §4.11). */
import { isLosslessNumber, stringify as losslessJson } from 'lossless-json';
import { stringify as csv } from 'csv-stringify/sync';
import { z } from 'zod';
import type { Export, RouteRequest } from './route.js';

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const holdsExact = (value: unknown): boolean =>
  typeof value === 'bigint' || (isNested(value) && (isLosslessNumber(value) || Object.values(value).some(holdsExact)));

export const jsonOf = (body: unknown): string => (holdsExact(body) ? losslessJson(body) : JSON.stringify(body)) ?? 'null';

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
  return csv(
    all.map((row) => columns.map((name) => cell(row[name]))),
    { header: true, columns: [...columns] },
  );
}
