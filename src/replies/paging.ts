/** Paging: buttons and texts. */
import type { Answer } from '../analytics/analytics.js';
import type { ActionDraft } from '../chat/reply.js';
import { capitalised } from '../base/capitalised.js';
import { counted } from './blocks.js';

/** The smallest known plan shows them at once. */
export const PAGE_SIZE = 10;
export const onPage = <T>(rows: readonly T[], page: number): readonly T[] => rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);

export interface PagePosition {
  readonly page: number;
  readonly rows: number;
  /** `meta.totalItems`, if the service counts. */
  readonly total?: number;
  readonly to: (page: number) => string;
}

export const pagingOf = (
  answer: Pick<Answer<{ readonly rows: readonly unknown[]; readonly broken: number }>, 'data' | 'meta'>,
  page: number,
) => ({
  page,
  rows: answer.data.rows.length + answer.data.broken,
  total: answer.meta.totalItems,
});

/** Without a total, a full page may have a next one. */
export function pageActions({ page, rows, total, to }: PagePosition): readonly ActionDraft[] {
  const last = lastBefore({ page, rows, total });
  if (last !== undefined) return [{ label: 'Last page', line: to(last) }];
  const next = total === undefined ? rows >= PAGE_SIZE : page * PAGE_SIZE < total && rows > 0;
  return [
    ...(page > 1 ? [{ label: 'Previous page', line: to(page - 1) }] : []),
    ...(next ? [{ label: 'Next page', line: to(page + 1) }] : []),
  ];
}

function lastBefore({ page, rows, total }: Omit<PagePosition, 'to'>): number | undefined {
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / PAGE_SIZE));
  return rows === 0 && page > last ? last : undefined;
}

/** "page 2 of 7", "last page: 7" beyond it. */
export function pageText({ page, rows, total }: Omit<PagePosition, 'to'>): string | undefined {
  const last = lastBefore({ page, rows, total });
  if (last !== undefined) return `last page: ${last}`;
  if (total !== undefined) return total > PAGE_SIZE ? `page ${page} of ${Math.ceil(total / PAGE_SIZE)}` : undefined;
  return page > 1 || rows >= PAGE_SIZE ? `page ${page}` : undefined;
}

/** `none` only for an empty list. */
export function emptyPage(
  { page, rows, total = 0 }: Omit<PagePosition, 'to'>,
  { of, none }: { readonly of?: string; readonly none: string },
): string {
  const owned = (text: string): string => (of === undefined ? capitalised(text) : `${of}: ${text}`);
  if (rows > 0) return owned(`${counted(rows, 'row')} on this page, but ${rows === 1 ? 'it is' : 'they are'} unreadable`);
  if ((page - 1) * PAGE_SIZE < total) return owned(`${counted(total, 'entry', 'entries')} exist, but your plan shows none here`);
  return page > 1 ? owned(`page ${page} is empty`) : none;
}
