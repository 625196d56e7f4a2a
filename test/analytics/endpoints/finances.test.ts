/** The traps of revenue and expenses, read by the real client from real answers. */
import { expect, test } from 'vitest';
import { expenses, revenues, totalExpense, totalRevenue } from '../../../src/analytics/endpoints/finances.js';
import { answerWith, connect, serve, tide } from '../../support/service.js';

const serviceWith = async (data: unknown) => connect((await serve((asked) => answerWith(asked, data))).url);

test('a month without a figure is unknown, and one of 0 is 0', async () => {
  const { analytics } = await serviceWith([
    { period: '2026-10-01T00:00:00Z', interval: 'month', revenue: null, details: null },
    { period: '2026-11-01', revenue: '0', details: [{ source: 'Fees', revenue: '0' }] },
    { revenue: '5' },
  ]);
  const { rows, broken } = (await analytics.call(revenues, tide)).data;
  expect(rows.map(({ at, amount, details }) => [at, amount, details])).toEqual([
    [Date.UTC(2026, 9, 1), undefined, []],
    [Date.UTC(2026, 10, 1), '0', [{ source: 'Fees', amount: '0' }]],
  ]);
  expect(broken).toBe(1);
});

test('expenses name their category "source" as revenue does', async () => {
  const { analytics } = await serviceWith([{ period: '2026-11-01', expense: 12.5, details: [{ source: 'Payroll', expense: 12.5 }] }]);
  expect((await analytics.call(expenses, tide)).data.rows).toMatchObject([
    { amount: '12.5', details: [{ source: 'Payroll', amount: '12.5' }] },
  ]);
});

test('a total that is null is unknown', async () => {
  expect((await (await serviceWith({ totalRevenue: null })).analytics.call(totalRevenue, tide)).data.total).toBeUndefined();
  expect((await (await serviceWith({ totalExpense: '1e3' })).analytics.call(totalExpense, tide)).data.total).toBe('1000');
});
