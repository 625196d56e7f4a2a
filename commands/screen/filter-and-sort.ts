/** Filters and sorts projects by an expression. */
import type { ProjectRow } from '../../src/analytics/endpoints/dashboard.js';
import { compare } from '../../src/domain/decimal.js';
import type { Decimal } from '../../src/domain/scalars.js';
import { never } from '../../src/base/never.js';
import type { Comparison, Screen, FieldTest } from './expression.js';
import { fieldOf } from './fields.js';

export interface Chosen {
  readonly rows: readonly ProjectRow[];
  /** Left out only because a tested figure is unknown. */
  readonly unknown: number;
}

/** An unknown figure satisfies no test, not even "!=". */
export function choose(rows: readonly ProjectRow[], { tests, sort }: Pick<Screen, 'tests' | 'sort'>): Chosen {
  const results = rows.map((row) => ({ row, outcomes: tests.map((test) => holds(row, test)) }));
  const chosen = results.filter(({ outcomes }) => outcomes.every((one) => one === true)).map(({ row }) => row);
  const unknown = results.filter(({ outcomes }) => outcomes.includes(undefined) && !outcomes.includes(false)).length;
  return { rows: sort === undefined ? chosen : inOrder(chosen, sort), unknown };
}

function holds(row: ProjectRow, { field, by, value }: FieldTest): boolean | undefined {
  const own = fieldOf(field).of(row);
  return own === undefined ? undefined : compares(own, by, value);
}

function compares(a: Decimal, by: Comparison, b: Decimal): boolean {
  const sign = compare(a, b);
  switch (by) {
    case '<':
      return sign < 0;
    case '<=':
      return sign <= 0;
    case '>':
      return sign > 0;
    case '>=':
      return sign >= 0;
    case '=':
      return sign === 0;
    case '!=':
      return sign !== 0;
    default:
      return never(by);
  }
}

/** Unknown values come last in either order. */
function inOrder(rows: readonly ProjectRow[], { field, first }: NonNullable<Screen['sort']>): readonly ProjectRow[] {
  const { of } = fieldOf(field);
  return rows.toSorted((one, other) => {
    const [a, b] = [of(one), of(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return first === 'lowest' ? compare(a, b) : compare(b, a);
  });
}
