/** Adds up revenue and expenses by month. A missing month is unknown. */
import type { Month } from '../../src/analytics/endpoints/finances.js';
import { dayOf } from '../../src/domain/day.js';
import { add, compare, isApartBy, subtract, sum } from '../../src/domain/decimal.js';
import { month, usd } from '../../src/domain/format.js';
import { decimal, type Decimal, type Instant } from '../../src/domain/scalars.js';
import { counted, line, type ProjectViewDeps, type ViewReply } from '../../src/reply/index.js';
import type { Rows } from '../../src/analytics/endpoint-row.js';
import type { BlockDraft } from '../../src/chat/reply.js';

export const RANGES = ['3M', '6M', '1Y', 'ALL'] as const;
export type Range = (typeof RANGES)[number];
const LENGTHS: Readonly<Record<Range, number>> = { '3M': 3, '6M': 6, '1Y': 12, ALL: Number.POSITIVE_INFINITY };

export const rangeText = (range: Range): string => (range === 'ALL' ? 'all months' : `${LENGTHS[range]} months`);

function monthOf(at: Instant): number {
  const [year = '0', month = '1'] = dayOf(at).split('-');
  return Number(year) * 12 + Number(month) - 1;
}

export const isRunning = (at: Instant, now: Instant): boolean => monthOf(at) === monthOf(now);

export const runningText = (months: readonly { readonly at: Instant }[], now: Instant): string => {
  const last = months.at(-1);
  return last !== undefined && isRunning(last.at, now) ? `per month; ${month(last.at)} so far` : 'per month';
};

/** Merges the rows of a month, and sorts the months up to the current one, the oldest first. */
export function within(months: readonly Month[], range: Range, now: Instant): readonly Month[] {
  const shown = months.filter(({ at }) => monthOf(at) > monthOf(now) - LENGTHS[range]);
  const byMonth = new Map<number, Month>();
  for (const one of shown) {
    const before = byMonth.get(monthOf(one.at));
    byMonth.set(monthOf(one.at), before === undefined ? one : together(before, one));
  }
  return [...byMonth.values()].toSorted((a, b) => a.at - b.at);
}

const together = (a: Month, b: Month): Month => ({
  ...a,
  amount: a.amount === undefined || b.amount === undefined ? undefined : add(a.amount, b.amount),
  details: [...a.details, ...b.details],
});

export function sumOf(months: readonly Month[]): Decimal | undefined {
  const known = months.flatMap(({ amount }) => amount ?? []);
  return known.length === 0 ? undefined : sum(known);
}

export function countText(months: readonly Month[]): string {
  const known = months.filter(({ amount }) => amount !== undefined).length;
  const [first, last] = [months[0], months.at(-1)];
  const all = first === undefined || last === undefined ? 0 : monthOf(last.at) - monthOf(first.at) + 1;
  return `${counted(known, 'month')}${all > known ? ` (${all - known} without data)` : ''}`;
}

export interface MonthBalance {
  readonly at: Instant;
  readonly revenue: Decimal | undefined;
  readonly expense: Decimal | undefined;
  readonly net: Decimal | undefined;
}

export function sideBySide(revenue: readonly Month[], expense: readonly Month[]): readonly MonthBalance[] {
  const at = new Map([...revenue, ...expense].map((one) => [monthOf(one.at), one.at]));
  const of = (months: readonly Month[], month: number): Decimal | undefined => months.find((one) => monthOf(one.at) === month)?.amount;
  return [...at]
    .toSorted(([a], [b]) => a - b)
    .map(([month, start]) => {
      const [came, went] = [of(revenue, month), of(expense, month)];
      return { at: start, revenue: came, expense: went, net: came === undefined || went === undefined ? undefined : subtract(came, went) };
    });
}

export interface SourceTotal {
  readonly name: string;
  readonly amount: Decimal;
}

export function sourcesOf(months: readonly Month[]): readonly SourceTotal[] {
  const sums = new Map<string, Decimal>();
  for (const { source, amount } of months.flatMap(({ details }) => details)) {
    if (amount === undefined) continue;
    const name = source ?? 'unnamed';
    const before = sums.get(name);
    sums.set(name, before === undefined ? amount : add(before, amount));
  }
  return [...sums].map(([name, amount]) => ({ name, amount })).toSorted((a, b) => compare(b.amount, a.amount));
}

export interface FinanceViewDeps extends Omit<ProjectViewDeps, 'page'> {
  readonly range: Range;
}

/** Makes a view. Rejects with an `AnalyticsError` if there is nothing to show. */
export type FinanceView = (deps: FinanceViewDeps) => Promise<ViewReply>;

const TOLERANCE = decimal('0.001');

export function totalCheck(what: string, total: Decimal | undefined, months: Rows<Month> | undefined): readonly BlockDraft[] {
  const all =
    months === undefined || months.broken > 0 || months.rows.some(({ amount }) => amount === undefined) ? undefined : sumOf(months.rows);
  if (total === undefined || all === undefined) return [];
  if (!isApartBy(all, total, { part: TOLERANCE })) return [];
  return [line(`⚠ Total ${what} reported as ${usd(total)}, but the months add up to ${usd(all)}.`)];
}
