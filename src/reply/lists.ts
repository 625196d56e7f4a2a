/** Reads a page of a list, words its position, and shows it. */
import type { Answer } from '../analytics/analytics.js';
import type { ActionDraft, BlockDraft, Line } from '../chat/reply.js';
import { capitalised } from '../base/sentence-lists.js';
import { ages, type Aged } from './answers.js';
import { brokenRows, counted, line } from './blocks.js';
import type { ViewReply } from './views.js';
import { AnalyticsError } from '../analytics/errors.js';
import type { Rows } from '../analytics/endpoint-row.js';
import type { Instant } from '../domain/scalars.js';

/** The smallest known plan can read these rows with one request. */
export const PAGE_SIZE = 10;
export const onPage = <T>(rows: readonly T[], page: number): readonly T[] => rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);

export interface PagePosition {
  readonly page: number;
  readonly rows: number;
  /** The rows of a full page, `PAGE_SIZE` by default. */
  readonly size?: number;
  /** `meta.totalItems`, if the service counts. */
  readonly total?: number;
  readonly to: (page: number) => string;
}

const pagingOf = (answer: Pick<Answer<{ readonly rows: readonly unknown[]; readonly broken: number }>, 'data' | 'meta'>, page: number) => ({
  page,
  rows: answer.data.rows.length + answer.data.broken,
  total: answer.meta.totalItems,
});

/** Makes the buttons to other pages. Without a total, a full page may have a next one. */
export function pageActions({ page, rows, total, size = PAGE_SIZE, to }: PagePosition): readonly ActionDraft[] {
  const last = lastBefore({ page, rows, total, size });
  if (last !== undefined) return [{ label: 'Last page', line: to(last) }];
  const next = total === undefined ? rows >= size : page * size < total && rows > 0;
  return [
    ...(page > 1 ? [{ label: 'Previous page', line: to(page - 1) }] : []),
    ...(next ? [{ label: 'Next page', line: to(page + 1) }] : []),
  ];
}

function lastBefore({ page, rows, total, size = PAGE_SIZE }: Omit<PagePosition, 'to'>): number | undefined {
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / size));
  return rows === 0 && page > last ? last : undefined;
}

/** Returns "page 2 of 7", or "last page: 7" for a page after the end. */
export function pageText({ page, rows, total, size = PAGE_SIZE }: Omit<PagePosition, 'to'>): string | undefined {
  const last = lastBefore({ page, rows, total, size });
  if (last !== undefined) return `last page: ${last}`;
  if (total !== undefined) return total > size ? `page ${page} of ${Math.ceil(total / size)}` : undefined;
  return page > 1 || rows >= size ? `page ${page}` : undefined;
}

/** Words an empty page. Only an empty list says `none`. */
export function emptyPage(
  { page, rows, total = 0 }: Omit<PagePosition, 'to'>,
  { of, none }: { readonly of?: string; readonly none: string },
): string {
  const owned = (text: string): string => (of === undefined ? capitalised(text) : `${of}: ${text}`);
  if (rows > 0) return owned(`${counted(rows, 'row')} on this page, but ${rows === 1 ? 'it is' : 'they are'} unreadable`);
  if ((page - 1) * PAGE_SIZE < total) return owned(`${counted(total, 'entry', 'entries')} exist, but your plan shows none here`);
  return page > 1 ? owned(`page ${page} is empty`) : none;
}

type Page<T> = Answer<Rows<T>>;

export interface LatestPageRequest<T> {
  readonly ask: (page: number) => Promise<Page<T>>;
  readonly page: number;
  readonly at: (row: T) => Instant | undefined;
}

/** A page of a list as read. */
export interface ReadPage<T> {
  readonly rows: readonly T[];
  readonly broken: number;
  /** The number of rows of the page that could not be read. */
  readonly unreadable?: number;
  /** The length of the list as stated by another answer, if this one does not state it. */
  readonly total?: number | undefined;
  readonly paging: Omit<PagePosition, 'to'>;
  readonly answers: readonly (Aged | undefined)[];
  readonly notes: readonly BlockDraft[];
}

/** Makes a page of an answer that is one page of the list. */
export const servicePage = <T>(answer: Page<T>, page: number): ReadPage<T> => ({
  rows: answer.data.rows,
  broken: answer.data.broken,
  paging: pagingOf(answer, page),
  answers: [answer],
  notes: [],
});

/** Takes a page from an answer that is the whole list. */
export function pageOfAll<T>(
  all: readonly T[],
  { page, broken, answer }: { readonly page: number; readonly broken: number; readonly answer: Aged },
): ReadPage<T> {
  const rows = onPage(all, page);
  return {
    rows,
    broken,
    unreadable: all.length === 0 ? broken : 0,
    paging: { page, rows: rows.length, total: all.length },
    answers: [answer],
    notes: [],
  };
}

/** Words the length of the list, if the service states it. */
export const countedRows = (
  { rows, paging, total = rows.length }: Pick<ReadPage<unknown>, 'rows' | 'paging' | 'total'>,
  one: string,
  many?: string,
): string => counted(paging.total ?? total, one, many);

interface ListReply {
  /** Makes the finding of a page with rows. Gets its position: ", page 2 of 7" or "". */
  readonly found: (where: string) => Line;
  readonly of?: string;
  readonly none: string;
  /** Whether an empty page names the last one. */
  readonly namesLast?: boolean;
  readonly blocks: readonly BlockDraft[];
  readonly to: (page: number) => string;
  readonly actions?: (pages: readonly ActionDraft[]) => readonly ActionDraft[];
}

/** Shows a page: the finding with its position, its blocks, unreadable rows, and buttons to other pages. */
export function listPage(
  { rows, broken, paging, unreadable = paging.rows, total, answers, notes }: ReadPage<unknown>,
  { found, of, none, namesLast = true, blocks, to, actions = (pages) => pages }: ListReply,
): ViewReply & { readonly actions: readonly ActionDraft[] } {
  const text = pageText(paging);
  const where = text === undefined ? '' : `, ${text}`;
  const empty = (): Line => [{ strong: emptyPage({ ...paging, rows: unreadable, total: paging.total ?? total }, { of, none }) }];
  return {
    // The finding is worded only if it is shown, because each formatted figure is recorded for the Sources button.
    finding: rows.length > 0 ? found(where) : namesLast ? [...empty(), where] : empty(),
    blocks: [...blocks, ...notes, ...brokenRows(broken)],
    actions: actions(pageActions({ ...paging, to })),
    ...ages(...answers),
  };
}

/** Reads a page counted from the latest row. Rejects with the error of the first page. */
export async function latestPage<T>({ ask, page, at }: LatestPageRequest<T>): Promise<ReadPage<T>> {
  const here = await ask(page);
  const paging = pagingOf(here, page);
  const order = orderOf(here, at) ?? (page > 1 && paging.rows > 0 ? orderOf(await ask(1), at) : undefined);
  const asItCame = { rows: here.data.rows, broken: here.data.broken, paging, answers: [here] };
  const isWhole = page === 1 && (paging.total === undefined ? paging.rows < PAGE_SIZE : paging.total <= paging.rows);
  if (isWhole) return { ...asItCame, rows: newestFirst(here.data.rows, at), notes: [] };
  if (order === 'mixed')
    return {
      ...asItCame,
      rows: newestFirst(here.data.rows, at),
      notes: [line('⚠ This list is sorted within each page only.')],
    };
  if (order !== 'oldest first') return { ...asItCame, notes: [] };
  const mirrored = paging.total === undefined ? undefined : await fromTheEnd({ ask, page, total: paging.total, here });
  if (mirrored === undefined) return { ...asItCame, notes: [line("⚠ Oldest first: the latest rows aren't available.")] };
  return {
    ...mirrored,
    rows: newestFirst(mirrored.rows, at),
    paging: { ...paging, rows: mirrored.rows.length + mirrored.broken },
    notes: [],
  };
}

const newestFirst = <T>(rows: readonly T[], at: LatestPageRequest<T>['at']): readonly T[] =>
  rows.toSorted((a, b) => (at(b) ?? Infinity) - (at(a) ?? Infinity) || 0);

/** Returns the order of rows; undefined if all moments are equal. */
function orderOf<T>({ data }: Page<T>, at: LatestPageRequest<T>['at']): 'oldest first' | 'newest first' | 'mixed' | undefined {
  const moments = data.rows.flatMap((row) => at(row) ?? []);
  const steps = new Set(moments.slice(1).map((moment, index) => Math.sign(moment - (moments[index] ?? moment))));
  steps.delete(0);
  if (steps.size > 1) return 'mixed';
  return steps.has(1) ? 'oldest first' : steps.has(-1) ? 'newest first' : undefined;
}

async function fromTheEnd<T>({ ask, page, total, here }: { ask: LatestPageRequest<T>['ask']; page: number; total: number; here: Page<T> }) {
  const [first, end] = [Math.max(0, total - page * PAGE_SIZE), total - (page - 1) * PAGE_SIZE];
  const numbers = [...new Set([first, Math.max(first, end - 1)].map((place) => Math.floor(place / PAGE_SIZE) + 1))];
  try {
    const answers = await Promise.all(numbers.map(async (number) => (number === page ? here : ask(number))));
    const rows = answers.flatMap(({ data }, index) => {
      const offset = ((numbers[index] ?? 1) - 1) * PAGE_SIZE;
      return data.rows.filter((_, place) => offset + place >= first && offset + place < end);
    });
    return { rows, broken: answers.reduce((all, { data }) => all + data.broken, 0), answers };
  } catch (error) {
    if (error instanceof AnalyticsError) return undefined;
    throw error;
  }
}
