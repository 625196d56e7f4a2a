import { expect, test } from 'vitest';
import { openAppHarness } from '../../support/app-harness.js';

const REVENUE = '/v1/dao/revenues';
const EXPENSES = '/v1/dao/expenses';
const TOTAL_REVENUE = '/v1/dao/total-revenue';
const TOTAL_EXPENSE = '/v1/dao/total-expense';

const came = (period: string, revenue: string | null, details: readonly unknown[] = []) => ({
  period,
  interval: 'month',
  revenue,
  details,
});
const went = (period: string, expense: string | null, details: readonly unknown[] = []) => ({
  period,
  interval: 'month',
  expense,
  details,
});

const answers = {
  [REVENUE]: [came('2026-11-01', '12000'), came('2026-09-01', '30000'), came('2025-06-01', '8000')],
  [EXPENSES]: [went('2026-09-01', '20000'), went('2026-10-01', '25000'), went('2026-11-01', '15000')],
  [TOTAL_REVENUE]: { totalRevenue: '50000' },
  [TOTAL_EXPENSE]: { totalExpense: '60000' },
};

test('both sides are shown by month, and only months with both are compared', async () => {
  const { say, deadButtons } = await openAppHarness({ answers });
  const { text, reply } = await say('/finances tide');
  expect(text.split('\n').slice(0, 6)).toEqual([
    'Tidewater spent $35.0K, $7.00K less than it earned (2 months with both figures)',
    'All-time revenue $50.0K · all-time expenses $60.0K',
    'Month            Revenue  Expenses      Net',
    'Nov 2026 so far   $12.0K    $15.0K  −$3.00K',
    'Oct 2026             n/a    $25.0K      n/a',
    'Sep 2026          $30.0K    $20.0K   $10.0K',
  ]);
  expect(text).not.toContain('⚠');
  expect(reply.chart).toMatchObject({
    title: 'Tidewater spent $35.0K, $7.00K less than it earned',
    categories: ['Sep 2026', 'Oct 2026', 'Nov 2026'],
    series: [
      {
        name: 'revenue',
        tone: 'up',
        points: [
          [0, 30_000],
          [1, null],
          [2, 12_000],
        ],
      },
      {
        name: 'expenses',
        tone: 'down',
        points: [
          [0, 20_000],
          [1, 25_000],
          [2, 15_000],
        ],
      },
    ],
  });
  expect(await deadButtons(reply)).toEqual([]);
});

test('a range holds the running month and those before it', async () => {
  const { say } = await openAppHarness({ answers });
  const all = (await say('/finances tide revenue ALL')).text;
  expect(all).toContain('earned $50.0K in 3 months (15 without data)');
  expect(all).toContain('Jun 2025');
  const three = (await say('/finances tide revenue 3M')).text;
  expect(three).toContain('earned $42.0K in 2 months (1 without data)');
  expect(three).not.toContain('Jun 2025');
});

test('totals that the months do not add up to are shown beside them', async () => {
  const { say } = await openAppHarness({ answers: { ...answers, [TOTAL_EXPENSE]: { totalExpense: '90000' } } });
  expect((await say('/finances tide')).text).toMatch(/⚠ .+expenses .+\$90\.0K.+\$60\.0K/u);
  // A month that is not known makes the sum of the others no evidence.
  const unknown = await openAppHarness({ answers: { ...answers, [EXPENSES]: [went('2026-10-01', null)] } });
  expect((await unknown.say('/finances tide')).text).not.toContain('⚠');
});

test('a side by itself names what it comes from, the largest first', async () => {
  const details = [
    { source: 'Audits', expense: '5000' },
    { source: 'Payroll', expense: '15000' },
  ];
  const { say } = await openAppHarness({
    answers: { [EXPENSES]: [went('2026-11-01', '20000', details), went('2026-10-01', null), went('2026-09-01', '9', details)] },
  });
  const { text, reply } = await say('/finances tide expenses');
  expect(text).toMatch(/^Tidewater spent \$20\.0K in 2 months \(1 without data\), most on Payroll/u);
  expect(text).toContain('Category  ');
  expect(text).toContain("⚠ Parts don't add up to the total in 1 month.");
  expect(text).toContain('All-time expenses n/a: no data');
  expect(reply.chart).toMatchObject({
    series: [
      { name: 'Payroll', stack: 'months' },
      {
        name: 'Audits',
        points: [
          [0, 5_000],
          [1, null],
          [2, 5_000],
        ],
      },
    ],
  });
});

test('a side that fails costs itself, and nothing published is no 0', async () => {
  const { say } = await openAppHarness({ answers: { [REVENUE]: answers[REVENUE] } });
  const { text } = await say('/finances tide');
  expect(text).toContain('revenue $42.0K, expenses n/a, no month with both');
  expect(text).toContain('⚠ Expenses: n/a: no data');
  const none = await openAppHarness({
    answers: { [REVENUE]: [], [EXPENSES]: [], [TOTAL_REVENUE]: { totalRevenue: null }, [TOTAL_EXPENSE]: {} },
  });
  const empty = (await none.say('/finances tide')).text;
  expect(empty).toContain('published\nAll-time revenue n/a · all-time expenses n/a');
  expect((await none.say('/finances tide revenue')).text).toContain('Tidewater: no revenue published');
  expect((await none.say('/finances tide expenses')).text).toContain('Tidewater: no expenses published');
  const blank = await openAppHarness({ answers: { [EXPENSES]: [went('2026-10-01', null)] } });
  expect((await blank.say('/finances tide expenses')).text).toContain('Tidewater: no expenses data\n');
  const whole = await openAppHarness({ answers: { [EXPENSES]: [went('2026-10-01', '5'), went('2026-11-01', '6')] } });
  expect((await whole.say('/finances tide expenses')).text).toContain('Tidewater spent $11.00 in 2 months\n');
});

test('every view and range of the simulated service answers without a contradiction, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const slug of ['tide', 'lark-hollow', 'cinder-quay', 'spindrift'])
    for (const view of ['both', 'revenue', 'expenses', 'both 3M', 'expenses ALL']) {
      const { reply, text } = await say(`/finances ${slug} ${view}`);
      expect([slug, view, reply.tone, await deadButtons(reply)]).toEqual([slug, view, 'plain', []]);
      expect(text).not.toMatch(/undefined|NaN|\[object|⚠/u);
    }
});
