/** Revenue and expenses, per month and in total, in USD (§4.7, fields §2.13). */
import { z } from 'zod';
import { HOUR } from '../../base/clock.js';
import { bySlug, get, list } from '../endpoint-row.js';
import { decimal, maybe, moment, some, words } from '../wire-values.js';

/** The service calls the field `source` for both. */
const detail = (amount: 'revenue' | 'expense') =>
  z
    .looseObject({ source: maybe(words) })
    .transform((row): { readonly source: string | undefined; readonly amount: z.output<typeof decimal> | undefined } => ({
      source: row.source,
      amount: maybe(decimal).parse(row[amount]),
    }));

const month = (amount: 'revenue' | 'expense') =>
  z.looseObject({ period: moment, interval: maybe(words), details: some(detail(amount)) }).transform((row) => ({
    at: row.period,
    interval: row.interval,
    amount: maybe(decimal).parse(row[amount]),
    details: row.details ?? [],
  }));
export type Month = z.output<ReturnType<typeof month>>;

export const revenues = list({
  id: 'finances.revenues',
  path: '/v1/dao/revenues',
  spec: '§4.7',
  input: bySlug,
  freshFor: HOUR,
  row: month('revenue'),
});

export const totalRevenue = get({
  id: 'finances.total-revenue',
  path: '/v1/dao/total-revenue',
  spec: '§4.7',
  input: bySlug,
  freshFor: HOUR,
  data: z.object({ totalRevenue: maybe(decimal) }).transform((row) => ({ total: row.totalRevenue })),
});

export const expenses = list({
  id: 'finances.expenses',
  path: '/v1/dao/expenses',
  spec: '§4.7',
  input: bySlug,
  freshFor: HOUR,
  row: month('expense'),
});

export const totalExpense = get({
  id: 'finances.total-expense',
  path: '/v1/dao/total-expense',
  spec: '§4.7',
  input: bySlug,
  freshFor: HOUR,
  data: z.object({ totalExpense: maybe(decimal) }).transform((row) => ({ total: row.totalExpense })),
});
