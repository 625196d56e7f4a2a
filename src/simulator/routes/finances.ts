/** Serves revenue and expenses (§4.7, §2.13). No order is specified, so revenue is oldest first and expenses newest first. */
import { iso, many, one, projectOf } from '../route.js';
import type { FinanceMonth } from '../world/finances.js';

const row = (name: 'revenue' | 'expense', { from, amount, items }: FinanceMonth) => ({
  period: iso(from),
  interval: 'month',
  [name]: amount,
  details: items.map((item) => ({ source: item.source, [name]: item.amount })),
});

export const revenues = many({
  items: (ask) => ask.world.finances.months(projectOf(ask), 'revenue', ask.at),
  show: (month) => row('revenue', month),
});

export const expenses = many({
  items: (ask) => ask.world.finances.months(projectOf(ask), 'expense', ask.at).toReversed(),
  show: (month) => row('expense', month),
});

export const totalRevenue = one((ask) => ({ totalRevenue: ask.world.finances.sum(projectOf(ask), 'revenue', ask.at) ?? null }));
export const totalExpense = one((ask) => ({ totalExpense: ask.world.finances.sum(projectOf(ask), 'expense', ask.at) ?? null }));
