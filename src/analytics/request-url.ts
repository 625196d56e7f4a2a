/** The URL and cache key of a call. Pure. */
import { z } from 'zod';
import type { Row } from './endpoint-row.js';

export interface ServiceAddress {
  /** Independent of field order; valid in the store. */
  readonly key: string;
  readonly path: string;
  readonly body?: string;
  readonly past?: true;
}

const fieldValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const DOTS = new Set(['.', '..']);

/** Encoded. Servers refuse URLs of about 8,000 bytes with 414 or 431. */
export const MAX_TEXT_BYTES = 1_500;

/** In encoded bytes. */
export const longestText = (input: Readonly<Record<string, unknown>>): number =>
  Math.max(
    0,
    ...Object.values(input).map((value) => (typeof value === 'string' ? new URLSearchParams({ '': value }).toString().length - 1 : 0)),
  );

/** Undefined where a value cannot be a path segment. Throws for other than plain values. */
export function addressOf(row: Pick<Row, 'id' | 'path' | 'method'>, input: Readonly<Record<string, unknown>>): ServiceAddress | undefined {
  const fields = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, fieldValue.parse(value)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const inPath = fields.filter(([name]) => row.path.includes(`{${name}}`));
  if (inPath.some(([, value]) => DOTS.has(value))) return undefined;
  const others = fields.filter(([name]) => !row.path.includes(`{${name}}`));
  const query = row.method === 'POST' ? '' : new URLSearchParams(others).toString();
  const path = inPath.reduce((rest, [name, value]) => rest.replace(`{${name}}`, () => encodeURIComponent(value)), row.path);
  const key = `${row.id}?${new URLSearchParams(fields).toString()}`;
  if (row.method === 'POST') return { key, path, body: JSON.stringify(Object.fromEntries(others)) };
  return { key, path: query === '' ? path : `${path}?${query}`, ...(input['timestamp'] === undefined ? {} : { past: true }) };
}
