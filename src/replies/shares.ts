/** Sorts holdings and computes shares. */
import { compare, divide, multiply } from '../domain/decimal.js';
import { share } from '../domain/format.js';
import type { Project } from '../domain/project.js';
import { decimal, type Decimal } from '../domain/scalars.js';

export const worthMost = <T extends { readonly value?: Decimal | undefined }>(rows: readonly T[]): readonly T[] =>
  rows.toSorted((a, b) => {
    if (a.value === undefined || b.value === undefined) return Number(a.value === undefined) - Number(b.value === undefined);
    return compare(b.value, a.value);
  });

/** Undefined if a value is unknown: it may be the largest. */
export const largestOf = <T extends { readonly value?: Decimal | undefined }>(rows: readonly T[]): T | undefined =>
  rows.some(({ value }) => value === undefined) ? undefined : worthMost(rows)[0];

export function shareOf(part: Decimal | undefined, whole: Decimal | undefined): string {
  const ratio = part === undefined || whole === undefined ? undefined : divide(multiply(part, decimal('100')), whole);
  return ratio === undefined ? '' : ` (${share(ratio)})`;
}

/** The project's own token never counts as backing. */
export const isOwnToken = (row: { readonly symbol?: string; readonly address?: string }, { symbol, mint }: Project): boolean =>
  (mint !== undefined && row.address === mint) || (symbol !== undefined && row.symbol?.toUpperCase() === symbol.toUpperCase());
