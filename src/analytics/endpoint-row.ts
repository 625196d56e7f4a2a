/** An operation as data, for client, simulator, tests and doctor. */
import { z } from 'zod';
import { isWithin } from './untrusted-json.js';
import { listNamed } from './field-reader.js';
import { atOnce, stepwise, type WorkSteps } from './chunked-parsing.js';
import { attempt, count, inside, maybe, UNREADABLE, words } from './wire-values.js';

/** `stated`: at the top or in `meta`. `points`, `days`: also the last one. `oldest-row`, `newest-row`: of rows. `record`: an event's times. */
export type Dating = 'stated' | 'points' | 'days' | 'oldest-row' | 'newest-row' | 'record';

export interface Row<I extends z.ZodObject = z.ZodObject, D = unknown> {
  readonly id: string;
  /** A `POST` is sent once, never cached. */
  readonly method: 'GET' | 'POST';
  /** `{placeholders}` name fields of `input`; the rest is the query, or a `POST` body. */
  readonly path: string;
  readonly spec: string;
  readonly input: I;
  readonly data: z.ZodType<D>;
  /** `data` then parses the file's text. */
  readonly answers?: 'csv';
  /** Default: `stated`. */
  readonly dated?: Dating;
  /** In ms. 0: never cached. */
  readonly freshFor: number;
}

export interface ListRow<I extends z.ZodObject = z.ZodObject, T = unknown> extends Row<I, Rows<T>> {
  readonly paged: boolean;
}

/** Unreadable rows are counted and never fail the list. */
export interface Rows<T> {
  readonly rows: readonly T[];
  readonly broken: number;
}

export const get = <I extends z.ZodObject, D>(row: Omit<Row<I, D>, 'method'>): Row<I, D> => ({ method: 'GET', ...row });

/** Has side effects (§4.3 has the only two). */
export const post = <I extends z.ZodObject, D>(row: Omit<Row<I, D>, 'method' | 'freshFor'>): Row<I, D> => ({
  method: 'POST',
  freshFor: 0,
  ...row,
});

/** `named`: the list's name where stated. */
export function list<I extends z.ZodObject, T>({
  row,
  named,
  ...rest
}: Omit<Row<I, Rows<T>>, 'method' | 'data'> & { row: z.ZodType<T>; named?: string }): ListRow<I, T> {
  return { method: 'GET', ...rest, paged: 'page' in rest.input.shape, data: listOf(row, named) };
}

/** Five years of hourly points are 43,800. */
export const MAX_ROWS = 50_000;
/** Larger rows count as unreadable. */
const MAX_ROW_VALUES = 10_000;
const ROWS_A_STEP = 100;

/** Rows beyond `MAX_ROWS` count as unreadable. */
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

/** No row is readable, at any nesting. */
export function isUnreadable(data: unknown): boolean {
  const lists = Object.values(withBroken.safeParse(data).data ?? {}).filter((value) => Array.isArray(value));
  return lists.length > 0 && lists.every((items) => items.every((item) => isUnreadable(item)));
}

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

/** At the shallowest depth; undefined if there are several. */
export function nestedList(value: unknown): readonly unknown[] | undefined {
  let level: readonly unknown[] = [value];
  while (level.length > 0) {
    const lists = level.filter((node): node is unknown[] => Array.isArray(node));
    if (lists.length > 0) return lists.length === 1 ? lists[0] : undefined;
    level = level.flatMap((node): readonly unknown[] => (typeof node === 'object' && node !== null ? Object.values(node) : []));
  }
  return undefined;
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
