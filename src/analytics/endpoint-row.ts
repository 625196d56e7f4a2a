/** Describes an operation as data, for the client, the simulator, the tests and the doctor. */
import { z } from 'zod';
import { isWithin, atOnce, stepwise, type WorkSteps } from './untrusted-json.js';
import { listNamed, listsIn } from './field-reader.js';
import { UNREADABLE, attempt, count, inside, maybe, words } from './wire-values.js';

/** Where the date of the data is: `stated` at the top or in `meta`, in the last of the `points` or `days`, in a row, or in an event's `record`. */
export type Dating = 'stated' | 'points' | 'days' | 'oldest-row' | 'newest-row' | 'record';

export interface Row<I extends z.ZodObject = z.ZodObject, D = unknown> {
  readonly id: string;
  /** A `POST` is never repeated and never cached. */
  readonly method: 'GET' | 'POST';
  /** `{placeholders}` name fields of `input`; the rest is the query, or a `POST` body. */
  readonly path: string;
  readonly spec: string;
  readonly input: I;
  readonly data: z.ZodType<D>;
  /** If set, `data` parses the text of the file. */
  readonly answers?: 'csv';
  /** Returns the unparsed list that `data` reads. */
  readonly items?: (data: unknown) => readonly unknown[] | undefined;
  /** The default is `stated`. */
  readonly dated?: Dating;
  /** The value is in milliseconds; 0 means never cached. */
  readonly freshFor: number;
}

export interface ListRow<I extends z.ZodObject = z.ZodObject, T = unknown> extends Row<I, Rows<T>> {
  readonly paged: boolean;
}

/** The rows of a list. Unreadable ones are counted and do not fail the list. */
export interface Rows<T> {
  readonly rows: readonly T[];
  readonly broken: number;
}

export const get = <I extends z.ZodObject, D>(row: Omit<Row<I, D>, 'method'>): Row<I, D> => ({ method: 'GET', ...row });

/** Declares an operation with side effects. Only two exist (§4.3). */
export const post = <I extends z.ZodObject, D>(row: Omit<Row<I, D>, 'method' | 'freshFor'>): Row<I, D> => ({
  method: 'POST',
  freshFor: 0,
  ...row,
});

/** Declares a list. `named` has its possible field names, the specified one first. */
export function list<I extends z.ZodObject, T>({
  row,
  named,
  ...rest
}: Omit<Row<I, Rows<T>>, 'method' | 'data' | 'items'> & { row: z.ZodType<T>; named?: readonly string[] }): ListRow<I, T> {
  const data = listOf(row, named);
  return { method: 'GET', ...rest, paged: 'page' in rest.input.shape, data, items: (value) => rowsIn(value, row, named) };
}

/** The most rows of a list. Five years of hourly points are 43,800. */
export const MAX_ROWS = 50_000;
/** The most values in a row. Larger rows count as unreadable. */
const MAX_ROW_VALUES = 10_000;
const ROWS_A_STEP = 100;

/** Parses a list in steps. Rows beyond `MAX_ROWS` count as unreadable. */
export function* listSteps<T>(value: unknown, row: z.ZodType<T>, named?: readonly string[]): WorkSteps<Rows<T>> {
  const items = rowsIn(value, row, named);
  if (items === undefined) return undefined;
  const rows: T[] = [];
  for (const [index, item] of items.slice(0, MAX_ROWS).entries()) {
    if (index % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    const read = readRow(item, row);
    if (read !== UNREADABLE) rows.push(read);
  }
  return { rows, broken: items.length - rows.length };
}

const withBroken = z.looseObject({ broken: z.int().min(1) });

/** Tells whether the data has lists with rows, none of which is readable. */
export function isUnreadable(data: unknown): boolean {
  const lists = Object.values(withBroken.safeParse(data).data ?? {}).filter((value) => Array.isArray(value));
  return lists.length > 0 && lists.every((items) => items.every((item) => isUnreadable(item)));
}

export const NO_ONE_LIST = 'no list, or several that could be meant';

export const listOf = <T>(row: z.ZodType<T>, named?: readonly string[]) =>
  z
    .unknown()
    .transform((value, context): Rows<T> => {
      const read = atOnce(listSteps(value, row, named));
      if (read !== undefined) return read;
      context.addIssue(NO_ONE_LIST);
      return z.NEVER;
    })
    .register(inside, { schema: z.array(row) })
    .register(stepwise, { steps: (value) => listSteps(value, row, named), otherwise: NO_ONE_LIST });

const readRow = <T>(item: unknown, row: z.ZodType<T>): T | typeof UNREADABLE =>
  isWithin(item, MAX_ROW_VALUES) ? attempt(row, item) : UNREADABLE;

/** Field names that any list may have. */
const ORDINARY = ['items', 'rows', 'results', 'data', 'list', 'records', 'entries'];
/** The number of rows that are tested to recognise a list. */
const FIRST_ROWS = 20;

const valuesIn = (value: unknown): number => {
  if (typeof value !== 'object') return value === undefined ? 0 : 1;
  return value === null ? 0 : Object.values(value).reduce<number>((total, part) => total + valuesIn(part), 0);
};

/** Returns the mean number of known values per row; 0 for a list of something else. */
function fitOf<T>(items: readonly unknown[], row: z.ZodType<T>): number {
  const read = items.slice(0, FIRST_ROWS).map((item) => readRow(item, row));
  const known = read.reduce<number>((total, one) => total + (one === UNREADABLE ? 0 : valuesIn(one)), 0);
  return known / Math.max(read.length, 1);
}

/** Finds the list with the name, else the nearest with readable rows. Returns undefined if there are several at one depth. */
export function rowsIn<T>(value: unknown, row: z.ZodType<T>, named: readonly string[] = []): readonly unknown[] | undefined {
  const lists = listsIn(value);
  const withName = [...named, ...ORDINARY].flatMap((name) => {
    const items = Array.isArray(value) ? undefined : listNamed(value, name);
    return items === undefined ? [] : [items];
  });
  if (lists.length < 2) return withName[0] ?? lists[0]?.items;
  const fit = new Map(lists.map(({ items }) => [items, fitOf(items, row)]));
  const byName = withName.find((items) => items.length === 0 || (fit.get(items) ?? 0) > 0);
  if (byName !== undefined) return byName;
  const best = Math.max(...fit.values());
  if (best === 0) return withName[0] ?? lists.find(({ items }) => items.length === 0)?.items;
  // A list that shares only a field or two with the rows is another list.
  const fitting = lists.filter(({ items }) => (fit.get(items) ?? 0) > best / 2);
  const [found, another] = fitting.filter(({ depth }) => depth === fitting[0]?.depth);
  // Parts of one list with separate names, such as mints and burns, fit almost equally. One part must not be taken for the whole.
  return another === undefined ? found?.items : undefined;
}

const metaFields = z.object({
  totalItems: maybe(count),
  itemsPerPage: maybe(count),
  totalPages: maybe(count),
  currentPage: maybe(count),
  code: maybe(count),
  message: maybe(words),
});
export const metaSchema = metaFields.catch(() => metaFields.parse({}));
export type Meta = z.infer<typeof metaSchema>;

export const bySlug = z.object({ slug: z.string().min(1) });
export const paging = { limit: z.int().min(1).optional(), page: z.int().min(1).optional() };

/** The URL and the cache key of a call. */
export interface ServiceAddress {
  /** Independent of the order of fields, and valid as a key of the store. */
  readonly key: string;
  readonly path: string;
  readonly body?: string;
  readonly past?: true;
}

const fieldValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const DOTS = new Set(['.', '..']);

/** The value is in encoded bytes. Servers refuse URLs of about 8,000 bytes with 414 or 431. */
export const MAX_TEXT_BYTES = 1_500;

/** Returns the length of the longest text, in encoded bytes. */
export const longestText = (input: Readonly<Record<string, unknown>>): number =>
  Math.max(
    0,
    ...Object.values(input).map((value) => (typeof value === 'string' ? new URLSearchParams({ '': value }).toString().length - 1 : 0)),
  );

/** Makes the address. Returns undefined if a value cannot be a path segment. Throws for values that are not plain. */
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
