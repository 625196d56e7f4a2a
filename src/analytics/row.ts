/**
 * One operation of the service as data: the client calls a row, the simulator mounts it, tests and the doctor walk over them.
 * An answer is `{data, meta}` (§2.1); `data` here reads the value under `data`.
 */
import { z } from 'zod';
import { isWithin } from './json.js';
import { listNamed } from './reading.js';
import { atOnce, stepwise, type WorkSteps } from './stepwise.js';
import { attempt, count, inside, maybe, UNREADABLE, words } from './scalars.js';

/**
 * `stated`: by a time at its top or in its `meta`. `points`: also by the last point of a chart. `days`: also by the last day of a series.
 * `oldest-row`, `newest-row`: also by the times of its rows. `record`: its times tell of an event, not of the data.
 */
export type Dating = 'stated' | 'points' | 'days' | 'oldest-row' | 'newest-row' | 'record';

export interface Row<I extends z.ZodObject = z.ZodObject, D = unknown> {
  readonly id: string;
  /** A `POST` changes something at the service: it is asked once, never again by itself, and its answer is never kept. */
  readonly method: 'GET' | 'POST';
  /** With `{placeholders}` that name fields of `input`; the other fields become the query, or the JSON body of a `POST`. */
  readonly path: string;
  /** The section of the interface it follows. */
  readonly spec: string;
  readonly input: I;
  readonly data: z.ZodType<D>;
  /** Where the answer is a file and no `{data, meta}`; `data` then reads its whole text. */
  readonly answers?: 'csv';
  /** How its answer says when its data is from. Default: `stated`. */
  readonly dated?: Dating;
  /** How long an answer is as good as a new one, in milliseconds. At 0 it is good only when it arrives, and is not kept either. */
  readonly freshFor: number;
}

/** A row whose data is a list. */
export interface ListRow<I extends z.ZodObject = z.ZodObject, T = unknown> extends Row<I, Rows<T>> {
  /** Whether it takes `limit` and `page`. */
  readonly paged: boolean;
}

/** What could be read of a list, and how many rows could not. A broken row costs itself, never the list. */
export interface Rows<T> {
  readonly rows: readonly T[];
  readonly broken: number;
}

export const get = <I extends z.ZodObject, D>(row: Omit<Row<I, D>, 'method'>): Row<I, D> => ({ method: 'GET', ...row });

/** An operation that changes something (§4.3 has the only two). */
export const post = <I extends z.ZodObject, D>(row: Omit<Row<I, D>, 'method' | 'freshFor'>): Row<I, D> => ({
  method: 'POST',
  freshFor: 0,
  ...row,
});

/** A list row; `row` reads one item, and `named` is the name of the list where the interface states it. */
export function list<I extends z.ZodObject, T>({
  row,
  named,
  ...rest
}: Omit<Row<I, Rows<T>>, 'method' | 'data'> & { row: z.ZodType<T>; named?: string }): ListRow<I, T> {
  return { method: 'GET', ...rest, paged: 'page' in rest.input.shape, data: listOf(row, named) };
}

/** More rows than this are not read. Five years of hourly points are 43,800. */
export const MAX_ROWS = 50_000;
/** More values than this are no row; one row is read in one step. */
const MAX_ROW_VALUES = 10_000;
const ROWS_A_STEP = 100;

/** Reads a list, each row by itself. Rows beyond `MAX_ROWS` count as broken: nothing is known of them. */
export function* listSteps<T>(value: unknown, row: z.ZodType<T>, named?: string): WorkSteps<Rows<T>> {
  const items = (named === undefined ? undefined : listNamed(value, named)) ?? nestedList(value);
  if (items === undefined) return undefined;
  const rows: T[] = [];
  for (const [index, item] of items.slice(0, MAX_ROWS).entries()) {
    if (index % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    const read = isWithin(item, MAX_ROW_VALUES) ? attempt(row, item) : UNREADABLE;
    if (read !== UNREADABLE) rows.push(read);
  }
  return { rows, broken: items.length - rows.length };
}

const withBroken = z.looseObject({ broken: z.int().min(1) });

/** Whether rows came and none of them could be read, be they under `rows`, under another name or one list deeper. An empty list is an answer. */
export function isUnreadable(data: unknown): boolean {
  const lists = Object.values(withBroken.safeParse(data).data ?? {}).filter((value) => Array.isArray(value));
  return lists.length > 0 && lists.every((items) => items.every((item) => isUnreadable(item)));
}

/** A list under `data`, or nested inside the `data` object (§2.1), each row read by itself. */
export const listOf = <T>(row: z.ZodType<T>, named?: string) =>
  z
    .unknown()
    .transform((value, context): Rows<T> => {
      const read = atOnce(listSteps(value, row, named));
      if (read !== undefined) return read;
      context.addIssue('neither a list nor an object with a list inside');
      return z.NEVER;
    })
    .register(inside, { schema: z.array(row) })
    .register(stepwise, { steps: (value) => listSteps(value, row, named) });

/** The list itself, or the one at the shallowest depth of an object; two at the same depth are no answer to "which". */
export function nestedList(value: unknown): readonly unknown[] | undefined {
  let level: readonly unknown[] = [value];
  while (level.length > 0) {
    const lists = level.filter((node): node is unknown[] => Array.isArray(node));
    if (lists.length > 0) return lists.length === 1 ? lists[0] : undefined;
    level = level.flatMap((node): readonly unknown[] => (typeof node === 'object' && node !== null ? Object.values(node) : []));
  }
  return undefined;
}

/** What an answer says about itself: how long a list is (§2.1), or what became of a `POST` (§2.7). Any part may be missing. */
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
