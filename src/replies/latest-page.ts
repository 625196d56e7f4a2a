/** Page of a list, latest first, with at most three more calls. */
import type { Answer } from '../analytics/analytics.js';
import { AnalyticsError } from '../analytics/errors.js';
import type { Rows } from '../analytics/endpoint-row.js';
import type { BlockDraft } from '../chat/reply.js';
import type { Instant } from '../domain/scalars.js';
import { line } from './blocks.js';
import { PAGE_SIZE, pagingOf } from './paging.js';

type Page<T> = Answer<Rows<T>>;

export interface LatestPageRequest<T> {
  readonly ask: (page: number) => Promise<Page<T>>;
  readonly page: number;
  readonly at: (row: T) => Instant | undefined;
}

export interface LatestPage<T> {
  readonly rows: readonly T[];
  readonly broken: number;
  readonly paging: ReturnType<typeof pagingOf>;
  readonly answers: readonly Page<T>[];
  readonly notes: readonly BlockDraft[];
}

/** Rejects with the error of the first page. */
export async function latestPage<T>({ ask, page, at }: LatestPageRequest<T>): Promise<LatestPage<T>> {
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

/** Undefined if all moments are equal. */
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
