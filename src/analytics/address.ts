/** Where a call goes: a row and its input as path, query and the key that tells one call from another. Pure. */
import { z } from 'zod';
import type { Row } from './row.js';

export interface ServiceAddress {
  /** The same for the same question, however its fields were ordered. Fit to be a key of the store. */
  readonly key: string;
  /** Path and query, to be put behind the service's base address. */
  readonly path: string;
  /** The JSON body of a `POST`. */
  readonly body?: string;
  /** Whether a moment in the past is asked about. */
  readonly past?: true;
}

const fieldValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** A URL parser takes these for "here" and "up one", even when they are escaped. */
const DOTS = new Set(['.', '..']);

/** The most bytes of one text in an address, as it is sent: servers refuse addresses of about 8,000 bytes with 414 or 431. */
export const MAX_TEXT_BYTES = 1_500;

/** The bytes of the longest text of an input, as an address carries it; an accented letter takes six. */
export const longestText = (input: Readonly<Record<string, unknown>>): number =>
  Math.max(
    0,
    ...Object.values(input).map((value) => (typeof value === 'string' ? new URLSearchParams({ '': value }).toString().length - 1 : 0)),
  );

/** Undefined where a value cannot stand in a path: nothing at the service has such a name. Throws on an input that is no plain value. */
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
